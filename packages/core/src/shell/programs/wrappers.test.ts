import { describe, expect, it } from 'vitest';
import { factsTable, factsText } from '../../testing/facts-text.js';

const WRAPPING = String.raw`
timeout 5 ls a => > ls a
timeout -s KILL 5 rm a => > rm a
timeout $x rm a => ?
timeout * rm a => ?
timeout --foo 5 rm a => ?
nice -n 5 rm a => > rm a
nice -10 rm a => > rm a
ionice -c 3 rm a => > rm a
ionice -p 12 => ?
nohup rm a => > rm a
\time -f x -o y rm a => W y > rm a
stdbuf -oL rm a => > rm a
setsid -w rm a => > rm a
taskset -c 0 rm a => > rm a
sudo rm a => > rm a ?
sudo -u x rm a => > rm a ?
sudo -i => ?
sudo -s rm => ?
doas rm a => > rm a ?
env rm a => > rm a
env CI=1 rm a => > rm a
env CI="$x" rm a => > rm a
env CI=$x rm a => ?
env A=b rm a => > rm a ?
env PATH=. rm a => > rm a ?
env CI=1 LD_PRELOAD=./x ls => > ls ?
env -u PATH rm a => > rm a ?
env -u FOO rm a => > rm a
env -i rm a => > rm a
env - rm a => > rm a
env -C d rm a => > d:rm a
env -S 'rm a' => ?
env --split-string='rm a' => ?
env "$x" rm a => ?
env => …
env CI=1 => …
xargs rm => > rm {}
xargs => > echo {}
xargs -0 rm -f => > rm -f {}
xargs -I{} cp {} d => > cp {} d
xargs -I % sh -c 'rm %' => > sh -c 'rm %'
xargs -a f rm => R f > rm {}
xargs -i rm {} => ?
xargs -p rm => ?
flock f rm a => W f > rm a
flock f -c 'rm a' => W f > ${'`rm a`'}
watch -n 1 rm a => > ${'`rm a`'}
busybox rm a => > rm a
busybox --install => ?
/usr/bin/env rm a => > rm a
/opt/bin/env rm a => > rm a ?
`;

const SHELLS = String.raw`
bash -c 'rm a' => > ${'`rm a`'}
bash -lc 'rm a' => > ${'`rm a`'} ?
bash --login -c 'rm a' => > ${'`rm a`'} ?
bash -l -c 'rm a' => > ${'`rm a`'} ?
bash -xec 'rm a' => > ${'`rm a`'}
bash -e -u -c 'rm a' => > ${'`rm a`'}
bash -o pipefail -c 'rm a' => > ${'`rm a`'}
sh -ec 'rm a' x y => > ${'`rm a`'}
zsh -c 'rm a' => > ${'`rm a`'} ?
bash pipefail -c 'ls' => ?
bash -ic 'rm a' => ?
bash -c "$x" => ?
bash -c -- 'rm a' => ?
bash -O extglob -c ls => ?
bash --rcfile x -c ls => ?
bash --init-file x -c ls => ?
bash a.sh => ?
bash -s => ?
bash => ?
bash --version =>
su -c 'rm a' => ?
ssh a rm => ?
script -c x => ?
parallel rm => ?
man ls => ?
less a => ?
vim a => ?
npx x => …
npx tsc --noEmit => …
npx @a/b@1.2 c => …
npx => ?
npx bash -c x => ?
npx bash@5 -c x => ?
npx node -e x => ?
npx npx -y x => ?
npx env x => ?
npx vitest run a -t b => …
npx -y x => ?
npx --yes x => ?
npx -p x y => ?
npx -c x => ?
npx github:a/b => ?
npx a/b => ?
npx ./a => ?
npx https://a.example/x => ?
npx $x => ?
npx * => ?
`;

const NETWORK = String.raw`
curl https://a.example/x => @https://a.example/x
curl localhost:3000/x => @localhost:3000/x
curl --url https://a.example => @https://a.example
curl -X DELETE https://a.example => @https://a.example
curl -sSL https://a.example => @https://a.example ?
curl --location https://a.example => @https://a.example ?
curl --location-trusted https://a.example => ?
curl -sS https://a.example => @https://a.example
curl -o b https://a.example/x => W b @https://a.example/x
curl -ob https://a.example/x => W b @https://a.example/x
curl --output b https://a.example/x => W b @https://a.example/x
curl -O https://a.example/d/x.tgz => W x.tgz @https://a.example/d/x.tgz
curl -O https://a.example => @https://a.example ?
curl -JO https://a.example/x => ?
curl -K a https://a.example => ?
curl --config a https://a.example => ?
curl -d a=b https://a.example => @https://a.example
curl -d @a https://a.example => R a @https://a.example
curl -d@a https://a.example => R a @https://a.example
curl --data-binary @a https://a.example => R a @https://a.example
curl --json @a https://a.example => R a @https://a.example
curl -d@* https://a.example => @https://a.example ?
curl -d @* https://a.example => ?
curl --data-raw @a https://a.example => @https://a.example
curl -d "$x" https://a.example => @https://a.example ?
curl -d "a=$x" https://a.example => @https://a.example
curl --data-urlencode a@b https://a.example => @https://a.example ?
curl --data-urlencode a=b@c https://a.example => @https://a.example
curl -F f=@a https://a.example => R a @https://a.example
curl -F 'f=<a' https://a.example => R a @https://a.example
curl -F 'f=@a,b' https://a.example => @https://a.example ?
curl -F 'f=@a;filename=b' https://a.example => @https://a.example ?
curl -T a https://a.example => R a @https://a.example
curl -T '{a,b}' https://a.example => @https://a.example ?
curl -b a https://a.example => R a @https://a.example
curl -b a=1 -c d https://a.example => W d @https://a.example
curl -H @a https://a.example => R a @https://a.example
curl -w '%output{x}' https://a.example => @https://a.example ?
curl -w @a https://a.example => R a @https://a.example
curl -D a https://a.example => W a @https://a.example
curl --cacert a https://a.example => R a @https://a.example
curl file:///etc/passwd => ?
curl ftp://a.example => ?
curl https://u@a.example => ?
curl 'https://a.example\@b.example' => ?
curl 'https://{a,b}.example' => ?
curl 'https://a.example/[1-3]' => ?
curl -x p https://a.example => ?
curl --resolve a:1:2 https://a.example => ?
curl --connect-to ::b: https://a.example => ?
curl -n https://a.example => ?
curl https://a.example --next https://b.example => ?
curl "https://a.example/$x" => ?
curl $x => ?
wget https://a.example/x => W .* @https://a.example/x ?
wget --max-redirect=0 https://a.example/x => W .* @https://a.example/x …
wget --max-redirect=0 --max-redirect=5 https://a.example/x => W .* @https://a.example/x ?
wget -qO a https://a.example => W a @https://a.example ?
wget -i a => ?
wget -e x=y https://a.example => ?
wget --use-askpass=x https://a.example => ?
ping -c 1 a.example => @a.example
ping => ?
ping -f a.example => ?
host a.example 9.9.9.9 => @a.example @9.9.9.9
host -l a.example => ?
nslookup a.example => @a.example
nslookup => ?
whois a.example => @a.example
dig a.example => @a.example
dig @9.9.9.9 a.example MX +short => @9.9.9.9 @a.example
dig -x 192.0.2.1 => @192.0.2.1
dig -f a => ?
dig "$x.a.example" => ?
nc a 1 => ?
socat a b => ?
`;

describe.each(Object.entries({ WRAPPING, SHELLS, NETWORK }))('what is started and reached: %s', (_, table) => {
  it.each(factsTable(table))('%s => %s', (command, facts) => {
    expect(factsText(command)).toBe(facts);
  });
});
