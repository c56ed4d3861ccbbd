import { describe, expect, it } from 'vitest';
import { factsTable, factsText } from '../../testing/facts-text.js';

const FILES = String.raw`
cat a b => R a R b
cat -n a => R a
cat -- -a => R -a
cat "$x" => R "$x"
head -5 a => R a
head -n 5 a => R a
head -n "$n" a => R a
head -n $n a => ?
head -n * a => ?
head --lin 5 a => R 5 R a
tail -n +3 a b => R a R b
wc -l a => R a
wc -l ./* => R ./*
wc -l * => ?
wc --files0-from=a => ?
wc --files0 a => ?
ls => R .
ls -la /etc => R /etc
ls -R src => R src*
ls -LR src => R src* …
ls -w 80 => R 80 R .
ls -T /etc => R /etc R .
ls -I /etc => R /etc R .
stat -c %s a => R a
stat -f %m a => R %m R a
readlink -f a => R a
realpath --relative-to=a b => R a R b
file a => R a
file -f a => ?
file -m a b => ?
file -z a => ?
file -C -m a => ?
df -h =>
df -t /etc => R /etc
du -sh => R .*
du -sh a => R a*
du -L a => R a* …
du --files0-from=a => ?
sha256sum a => R a
sha256sum -c a => ?
md5sum --check a => ?
basename a/b =>
basename /etc/* => R /etc/*
sleep $x =>
which node =>
`;

const GREP = String.raw`
grep foo a => R a
grep foo =>
grep -rn foo => R .*
grep -rn foo src test => R src* R test*
grep foo -r => R .*
grep -R foo . => R .* …
grep --dereference-recursive foo . => R .* …
grep --deref foo . => ?
grep -S foo . => ?
grep -d recurse foo => ?
grep --directories=recurse foo => ?
grep -e foo a => R a
grep -efoo a => R a
grep -f a b => R a R b
grep --file=a b => R a R b
grep --file a b => R a R b
grep --exclude-from=a foo b => R a R b
grep -C3 foo a => R a
grep -C 3 foo a => R 3 R foo R a
grep -C . /etc/passwd a => R . R /etc/passwd R a
grep --context . /etc/passwd a => R . R /etc/passwd R a
grep -A2 -B3 -m 1 foo a => R a
grep foo * => ?
grep foo ./* => R ./*
grep foo -- * => R *
grep -- * /etc/passwd => R * R /etc/passwd
grep -e /etc/* x => ?
grep -e $x a => ?
grep -e "$x" a => R a
grep "$x" a => ?
grep -- "$x" a => R a
grep --include='*.ts' -rn foo . => R .*
grep --include=*.ts -rn foo . => R .*
grep --include *.ts -rn foo . => ?
egrep -i 'a|b' a => R a
rg foo => R .*
rg foo src => R src*
rg -n 'a|b' src -g '*.ts' => R src*
rg -g *.ts foo => ?
rg --files src => R src*
rg -f a b => R a R b*
rg --pre=x foo => ?
rg --pre x foo => ?
rg --hostname-bin x foo => ?
rg -z foo => ?
rg --search-zip foo => ?
rg -L foo => R .* …
rg -iL foo => R .* …
ag foo => …
`;

const TEXT = String.raw`
diff -u a b => R a* R b* …
diff -u a b --no-dereference => R a* R b*
diff - - =>
diff -r a b => R a* R b* …
diff -r --no-dereference a b => R a* R b*
diff -l a b => ?
diff --to-file=a b => ?
diff -X a b c => R a* R b* R c* …
cmp a b 1 2 => R a R b R 1 R 2
cut -d: -f1 a => R a
cut -d : -f 1 /etc/passwd => R /etc/passwd
tr a-z A-Z =>
fmt -t /etc/passwd => R /etc/passwd
fmt -p a b => R a R b
expand -t 4 a => R a
paste -s a => R a
sort -u a b => R a R b
sort -k2,2n -t: a => R a
sort -o a b => W a R b
sort -oa b => W a R b
sort -uo a b => W a R b
sort --output=a b => W a R b
sort --outp a b => ?
sort b --output a => W a R b
sort -T a b => ?
sort --compress-program=a b => ?
sort --comp=a b => ?
sort --files0-from=a => ?
sort * => ?
uniq -c a => R a
uniq a b => R a W b
uniq a b c => R a W b W c
uniq src/* => W src/* ?
yes a -b => 
comm -12 a b => R a R b
join -t, -1 2 a b => R 2 R a R b
shuf -o a b => W a R b
shuf -n 1 a => R a
od -An -tx1 a => R a
hexdump -f a b => R a R b
xxd a => R a
xxd a b => R a W b
xxd -r a b => W b ?
xxd -ps -r a b => W b ?
strings -n 8 a => R a
strings @a => ?
iconv -f latin1 -t ../a b => R latin1 R ../a R b
iconv -o a b => W a R b
base64 -d a => R a
base64 -i a -o b => W b R a
column -t -s, a => R a
`;

const MACHINE = String.raw`
date =>
date -u +%FT%TZ =>
date -d yesterday +%F =>
date -r a => R a
date 010100002024 => …
date -s x => …
date -f a => …
hostname =>
hostname x => …
arch -x86_64 rm a => ?
ps aux =>
ps -ef =>
ps aux --sort=-%mem =>
ps auxe => …
ps -axe => …
ps -x -e => …
ps -aux -e => …
ps -o environ => …
ip -br a =>
ip addr show eth0 =>
ip link set eth0 down => …
ip netns exec x rm a => …
ip -batch a => …
ip addr s => …
ss -tlnp 'sport = :3000' =>
ss -K => …
ss -t dst secret.evil.example => …
lsof -i :3000 => R :3000*
lsof -i @secret.evil.example => …
lsof -i @secret.evil.example* => ?
lsof -D b => …
pgrep -f node =>
pgrep -F a => …
top -bn1 =>
top => …
printenv => …
env => …
ifconfig eth0 down => …
node --version =>
node --check x.js => R x.js
node --check "$x" => ?
node -e 1 => ?
node x.js => …
python3 --version =>
python3 -c 1 => ?
python3 -m json.tool a => …
npm --version =>
npm ls => …
yarn --version => …
go version => …
cargo --version => …
gcc --version x => …
docker ps =>
docker ps -aq --filter name=x =>
docker logs x => …
docker inspect x => …
docker run x => …
docker -H ssh://x ps => ?
docker exec x ls => …
tenon --version =>
getent passwd ann =>
getent hosts a.example => …
tput cols =>
tput reset => …
stty -a =>
stty sane => …
systemctl status x --no-pager =>
systemctl stop x => …
systemctl show x => …
systemctl -H x status => …
dmesg -T =>
dmesg -c => …
fuser -v a => R a
fuser -k a => …
last -n 5 =>
last -f a => ?
findmnt -T a => R a
findmnt -F a => ?
lspci -nn =>
lspci -i a => ?
pidof node =>
whereis ls =>
getconf PATH / => R /
`;

const FIND = String.raw`
find => R .*
find . -name '*.ts' => R .*
find . -name *.ts => R .*
find . -name * => R .* ?
find src test -type f => R src* R test*
find * -name a => ?
find $x -name a => ?
find -H . -name a => R .*
find -L . -name a => R .* …
find . -follow => R .* …
find . -newer a => R .* R a
find . '(' -name a ')' -print0 => R .*
find . -delete => R .* D .*
find . -exec rm {} \; => R .* > rm {}
find . -exec grep -n x {} + => R .* > grep -n x {}
find . -execdir rm {} + => R .* > ?:rm {}
find . -ok rm {} \; => R .* > rm {}
find . -exec rm {} => R .* ?
find . -fprint a => R .* ?
find . -fls a => R .* ?
find . -fprintf a b => R .* ?
find . -files0-from a => R .* ?
find . -dele => R .* ?
find -D exec . => R .* ?
tree -L 2 src => R src*
tree -o a => ?
tree -R => ?
tree -l => R .* …
fd foo src => R src*
fd -e ts => R .*
fd -x rm => ?
fd -Hx rm => ?
fd --exec rm => ?
fd --exec-batch=rm => ?
fd -l foo => ?
fd -L foo => R .* …
`;

const BINARIES = String.raw`
nm -D a => R a
nm --plugin=x a => ?
nm -l a => ?
nm @a => ?
objdump -d -M intel a => R a
objdump -S a => ?
objdump -g a => ?
readelf -h a => R a
readelf -w a => ?
size -A a b => R a R b
c++filt _Z1fv =>
ar t a => R a
ar -tv a b => R a
ar x a => ?
ar rc a b => ?
ar t @a => ?
`;

const SHOWING = String.raw`
factor 12 =>
numfmt --to=iec 2048 =>
tsort a => R a
pr -l 60 a => R a
look ab a => R a
diff3 a b c => R a R b R c
diff3 --diff-program=x a b c => ?
zgrep -n x a.gz => R a.gz
zgrep -r x src => ?
bat a => R a
bat -pp -r 1:5 a => R a
bat --paging=never a => R a
bat --paging=always a => ?
bat --paging always a => ?
bat --pager=x a => ?
bat cache --build => ?
batcat a => R a
eza -la src => R src
eza --tree src => R src*
eza -s /etc => R /etc R .
`;

describe.each(Object.entries({ FILES, GREP, TEXT, MACHINE, FIND, BINARIES, SHOWING }))(
  'what readers do: %s',
  (_, table) => {
    it.each(factsTable(table))('%s => %s', (command, facts) => {
      expect(factsText(command)).toBe(facts);
    });
  },
);

describe('a program of another place', () => {
  it.each(
    factsTable(`
    /bin/ls a => R a
    /usr/bin/grep x a => R a
    ./ls a => R a …
    LS a => R a …
    ls.exe a => R a …
    /opt/bin/sort -o a b => W a R b …
    /opt/bin/find . -delete => R .* D .* …
    /opt/bin/sed 'w x' a => ?
    ./timeout 5 rm a => > rm a ?
    `),
  )('%s => %s', (command, facts) => {
    expect(factsText(command)).toBe(facts);
  });

  it('is also one that stands in a folder of the project on the PATH', () => {
    expect(factsText('ls a', { isSystemProgram: () => false })).toBe('R a …');
    expect(factsText('/bin/ls a', { isSystemProgram: () => false })).toBe('R a');
  });
});

describe('diff', () => {
  const list = (folder: string): readonly string[] | undefined =>
    folder === '/w/sub' ? ['x'] : folder === '/w/closed' ? undefined : [];

  it('is known where it compares no folders, in which it would follow links', () => {
    expect(factsText('diff -u a b', { list })).toBe('R a R b');
    for (const text of ['diff sub b', 'diff a sub/', 'diff a ./sub', 'diff a closed', 'diff a x/../sub', 'diff a "$x"'])
      expect(factsText(text, { list }), text).toMatch(/[…?]$/);
    expect(factsText('diff -r a b', { list })).toBe('R a* R b* …');
  });
});
