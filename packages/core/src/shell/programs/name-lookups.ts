import { does, unclear, type ProgramFacts } from '../program-facts.js';
import { constantWord, exactText, type ShellWord } from '../words/shell-word.js';
import { optionTable, readWords, type OptionTable } from './option-words.js';
import { named, short, type NamedJudge, type ProgramJudge } from './program-row.js';

/**
 * Programs that ask for names and reach hosts. A name that is asked for reaches whoever answers for it, so that it can carry
 * what was read: each operand is an address.
 */
interface Lookup {
  readonly names: string;
  readonly reason: string;
  readonly options: string;
  /** Operands that are no names. */
  readonly text?: RegExp;
}

/** Types and classes of what is asked for, in capitals as they are mostly written. */
const TYPE = /^(?:A|AAAA|ANY|CAA|CNAME|DNSKEY|DS|HTTPS|MX|NAPTR|NS|PTR|SOA|SRV|SVCB|TLSA|TXT|IN|CH)$/i;

export const LOOKUPS: readonly Lookup[] = [
  {
    names: 'dig',
    reason: 'asks for names; not `-f`, which reads them from a file, nor `-k`, which reads a key',
    options: '-4 -6 -r -u -p= -q= -t= -c= -x=',
    text: new RegExp(String.raw`${TYPE.source}|^\+\w+(?:=\w+)?$`, 'i'),
  },
  {
    names: 'host',
    reason: 'asks for names; not `-l`, which asks for all of a zone',
    options: '-4 -6 -a -C -d -r -s -T -U -v -w -c= -t= -N= -R= -W=',
  },
  {
    names: 'nslookup',
    reason: 'asks for names; without one it reads commands',
    options: '-debug -type= -query= -port= -timeout=',
  },
  {
    names: 'ping ping4 ping6',
    reason: 'reaches hosts with small packets; not `-f`, which floods, `-p`, which fills them, nor `-I`, `-R`',
    options: '-4 -6 -A -D -n -O -q -v -c= -i= -s= -t= -w= -W=',
  },
  {
    names: 'traceroute tracepath',
    reason: 'reaches the hosts on the way to one; not `-i`, `-s`, `-g`',
    options: '-4 -6 -n -b -f= -m= -q= -w= -p=',
  },
  { names: 'whois', reason: 'asks the register of names', options: '-H' },
];

function judgeLookup({ options, text }: Lookup): ProgramJudge {
  const table: OptionTable = optionTable(options);
  return ({ name, words }): ProgramFacts => {
    const read = readWords(words, table);
    if (read.strange !== undefined) return unclear(`\`${name} ${short(read.strange)}\``);
    const asked = read.values.filter(({ option }) => /^-[qx]$/.test(option)).map(({ word }) => word);
    const addresses = [...read.operands, ...asked].filter((word) => text?.test(exactText(word) ?? '') !== true);
    if (addresses.length === 0) return unclear(`\`${name}\` without a name`);
    const strange = addresses.find((word) => !/^@?[\w.:%-]+$/.test(exactText(word) ?? ''));
    if (strange !== undefined) return unclear(`an address that is not certain (\`${short(strange.source)}\`)`);
    return does({ addresses: addresses.map(hostOf) });
  };
}

/** `@server` is one as well; IPv6 stands in brackets where an address is written. */
function hostOf(word: ShellWord): ShellWord {
  const host = (word.text ?? '').replace(/^@/, '').replace(/%.*$/, '');
  return constantWord(host.includes(':') ? `[${host}]` : host, word.source);
}

export const NAME_LOOKUPS: readonly NamedJudge[] = LOOKUPS.flatMap((lookup) =>
  named(lookup.names, judgeLookup(lookup)),
);
