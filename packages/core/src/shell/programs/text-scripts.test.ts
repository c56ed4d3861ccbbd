import { describe, expect, it } from 'vitest';
import { factsTable, factsText } from '../../testing/facts-text.js';

const SCRIPTS = String.raw`
sed -n 1,5p a => R a
sed s/a/b/ a b => R a R b
sed -i s/a/b/ a => R a W a
sed -i.bak s/a/b/ a => R a W a W a.bak
sed -i '' s/a/b/ a => R a W a
sed -i -e s/a/b/ a => R a W a W a-e
sed --in-place=.o s/a/b/ a => R a W a W a.o
sed -i s/a/b/ src/*.ts => R src/*.ts W src/*.ts
sed -i s/a/b/ 'w x' => R w x W w x ?
sed -i s/a/b/ '1w/etc/x' => R 1w/etc/x W 1w/etc/x ?
sed -i s/a/b/ /x/w/etc/a => R /x/w/etc/a W /x/w/etc/a ?
sed -n 'w x' a => ?
sed 1e a => ?
sed s/a/b/e a => ?
sed -f a b => ?
sed -l 'w x' p a => ?
sed s/a.*/b/ a => ?
sed -e* a => ?
sed "s/a/$x/" a => ?
sed s/a/b/ $x => ?
awk '{print $1}' a => R a
awk -F '|' '{print $2}' a => R a
awk '$3 > 5 {print $1}' a => R a
awk '{if ($1>5) print $2; if ($2>3) print}' a => R a
awk '$1 || $2' a => R a
awk -v x=1 '{print x}' a => R a
awk '{print}' x=1 a => R x=1 R a
awk '{print $1 > "x"}' a => ?
awk '{print > $1}' a => ?
awk '{print ";" > "f"}' a => ?
awk '{print $1, $2 #;' a => R a
awk '{printf "%s", $1 >> "x"}' a => ?
awk 'BEGIN{system("rm a")}' => ?
awk '{print | "sh"}' a => ?
awk '{print |& "sh"}' a => ?
awk '{"date" | getline d}' a => ?
awk '{while ((getline l < "/etc/passwd")) print l}' a => ?
awk -f a b => ?
awk -i inplace '{print}' a => ?
awk -e '{print}' a => ?
awk 'BEGIN{ARGV[1]="/etc/passwd";ARGC=2}{print}' a => ?
awk 'BEGIN{print ENVIRON["A"]}' => ?
awk 'BEGIN{f="system";@f("rm a")}' => ?
awk '@include "a"' => ?
awk "{print $x}" a => ?
awk '{print}' $f => ?
jq . a => R a
jq -r '.a[] | .b' a => R a
jq --arg x "$y" '.[$x]' a => R a
jq --arg a b . /etc/passwd => R /etc/passwd
jq --arg --arg x . /etc/passwd => R /etc/passwd
jq --arg a --arg . /etc/passwd b => R /etc/passwd R b
jq --arg a * . b => ?
jq -- . a => ?
jq env => …
jq '$ENV.A' a => …
jq 'import "a" as a; .' b => …
jq -f a b => ?
jq -L a . b => ?
jq --slurpfile x a . b => ?
jq "$x" a => ?
yq . a => R a
yq -r .x a b => R a R b
yq e .x a => R a
yq eval-all '. as $x' a b => R a R b
yq -i .a=1 a => R a W a
yq --inplace .a=1 a b => R a R b W a W b
yq -n 1 =>
yq a => R a
yq -s .x a => ?
yq 'load("/etc/passwd")' => …
yq 'strenv(X)' a => …
jq -n '$ARGS' --args a b =>
jq --args .x a => ?
jq .x a --args b => R a
jq -n --args "$x" => ?
`;

describe('what programs with a script of their own do', () => {
  it.each(factsTable(SCRIPTS))('%s => %s', (command, facts) => {
    expect(factsText(command)).toBe(facts);
  });
});
