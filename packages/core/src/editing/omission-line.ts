/** What a line that stands for others says. */
export interface OmissionLine {
  /**
   * `words`: "rest of code", "existing methods" and the like, marked as left out. `dots`: only an ellipsis. `state`: says that something
   * stays, or is left out. `weak`: words that people also use with another meaning. `hint`: has one such word.
   */
  readonly kind: 'words' | 'dots' | 'state' | 'weak' | 'hint';
  readonly comment: boolean;
}

/** Comment marks around a whole line, outermost first. */
const WRAPPERS: readonly (readonly [open: RegExp, close: RegExp | undefined])[] = [
  [/^\{\s*\/\*+\s*/, /\s*\*+\/\s*\}$/],
  [/^\/\*+\s*/, /\s*\*+\/$/],
  [/^<!--+\s*/, /\s*--+>$/],
  [/^\(\*\s*/, /\s*\*\)$/],
  [/^\{-\s*/, /\s*-\}$/],
  [/^<%--\s*/, /\s*--%>$/],
  [/^\{#\s*/, /\s*#\}$/],
  [/^\{\{!?--\s*/, /\s*--\}\}$/],
  [/^\{\{!\s*/, /\s*\}\}$/],
  [/^@\*\s*/, /\s*\*@$/],
  [/^(?:\/{2,}!?|#+|--+|;+|%+|!|'(?!'')|(?:REM|rem|dnl) )\s*/, undefined],
  [/^\*\s+/, undefined],
];
const PLAIN_DOTS = /^(?:\.{3,}|…+|⋮)$/;
const DOTTED = /^(?:\.(?: ?\.)+|…+|⋮)$/;
const DOTS = /^(?:\.{3,}|…+)\s*|\s*(?:\.{3,}|…+)$/g;

const CORE =
  'code|codes|implementation|implementations|method|methods|function|functions|file|logic|class|classes|component|content|contents|body|script|module|source';
const WIDE = `${CORE}|import|imports|export|exports|test|tests|field|fields|property|properties|props|case|cases|line|lines|config|configuration|setup|section|sections|page|handler|handlers|route|routes|option|options|item|items|entry|entries|definition|definitions|declaration|declarations|program|block|blocks|styles|css|html|markup|template|components|modules|types|variables|constants|settings|steps|rows|document|text|data|model|schema|members|constructor|statements|elements`;
const TAIL =
  '(?: (?:here|unchanged|omitted|continues|goes here|as before|as is|the same|same as before|remains?(?: here)?(?: unchanged| the same| as is| as before)?|stays?(?: unchanged| the same| as is| as before)?|(?:is|are) (?:unchanged|the same|omitted|unmodified|identical)|(?:omitted )?for brevity|unmodified|follows?))*';
const FIRM_TAIL =
  '(?: (?:here|goes here))? (?:unchanged|omitted|as before|as is|the same|same as before|unmodified|(?:remains?|stays?|is|are)(?: here)?(?: unchanged| the same| as is| as before| omitted| unmodified)|(?:omitted )?for brevity)(?: for brevity| here)?';
const OF = "(?: (?:of|in) (?:the |this |your |my |our )?[\\w.`'()-]+(?: [\\w.`'()-]+){0,2})?";

/** By what marks the line as left out: dots before the words, dots after them only, or a comment alone. */
const LED = words(
  `(?:the )?(?:rest|remainder) of (?:the |this |your |my |our )?\\w+(?: \\w+){0,2}${TAIL}`,
  `(?:the |all |all the )?(?:existing|remaining|unchanged|previous|original|omitted) \\w+(?: \\w+){0,2}${TAIL}`,
  `(?:the )?(?:rest|remainder) of (?:the |this |your |my |our )?(?:[\\w.\`'()-]+ ){0,3}(?:${WIDE})${OF}${TAIL}`,
  `(?:the |all |all the |all other )?(?:existing|previous|original|remaining|other|current|same|unchanged|old|omitted|skipped|more|additional|further|your|my|prior|earlier) (?:[\\w.\`'()/-]+ ){0,3}(?:${WIDE})${OF}${TAIL}`,
  `(?:[\\w.\`'()-]+ ){0,4}(?:${WIDE})${FIRM_TAIL}`,
  '(?:unchanged|no changes?|same as before|as before|omitted(?: for brevity)?|snip|snipped|unmodified|rest|the rest|rest unchanged|rest omitted|etc|(?:the )?rest (?:is |stays |remains )?(?:unchanged|the same|as is|as before)|everything else (?:is |stays |remains )?(?:unchanged|the same))',
  '(?:keep|keeping|leave|include|preserve|insert|copy) (?:all |the |all the )?(?:rest|existing|remaining|other|previous|original)\\b.{0,40}',
);
const TRAILED = words(
  `(?:the )?(?:rest|remainder) of (?:the |this |your |my |our )?(?:[\\w.\`'()-]+ ){0,2}(?:${CORE})${OF}${TAIL}`,
  `(?:the |all |all the )?(?:existing|previous|original|remaining|unchanged|omitted) (?:[\\w.\`'()/-]+ ){0,2}(?:${CORE})${OF}${TAIL}`,
  `(?:[\\w.\`'()-]+ ){0,4}(?:${CORE})${FIRM_TAIL}`,
  '(?:unchanged|omitted for brevity|snip|unmodified|rest unchanged)',
);
const UNMARKED = words(
  '(?:the )?(?:rest|remainder) of (?:the |this |your )?(?:code|implementation|function|method|class|component)(?: here)?',
  `(?:the )?(?:rest|remainder) of (?:the |this |your )?(?:[\\w.\`'()-]+ ){0,2}(?:${WIDE})${FIRM_TAIL}`,
  `(?:the |all |all the )?(?:existing|previous|original|remaining) (?:[\\w.\`'()/-]+ ){0,2}(?:${CORE})${FIRM_TAIL}`,
  '(?:existing|unchanged|remaining|previous) (?:code|implementation)(?: here| goes here)?',
  '(?:code|implementation) (?:omitted|unchanged)(?: for brevity)?|omitted for brevity',
  '(?:keep|leave) (?:the |all |all the )?(?:rest|remainder|remaining|existing|other)\\b.{0,40} (?:as is|as it is|unchanged|the same|as before)',
);
const BRACKETED = words(
  '(?:rest )?(?:unchanged|omitted|snip|unmodified)(?: for brevity)?|no changes?|(?:same )?as before',
);
const STATE =
  '(?:unchanged|unmodified|untouched|identical|omitted|snipped|the same|as is|as before|same as before|not changed)(?: here)?(?: for brevity)?';
const IS = '(?:is |are |remains? |stays? |stay |was |were )?';
/** Matches a statement that lines stay or are left out. People write it as well, but hardly when code disappears at the same time. */
const STATED = words(
  `(?:the )?(?:rest|remainder) of (?:the |this |your |my )?(?:\\w+ ){0,2}(?:${WIDE}|jsx)(?: here| goes here| follows)?`,
  `(?:the )?same (?:\\w+ )?(?:${CORE}) as (?:before|above)`,
  '(?:the )?same as (?:before|above)|as before|(?:code |content )?(?:omitted|snip|snipped|cut|truncated|elided)|and so on|(?:the )?rest',
  `(?:(?:the )?rest(?: of it)?|everything(?: else)?|all else|others?) ${IS}${STATE}`,
  `(?:all |all the |the |rest of the |everything |any )?(?:code |lines |everything |stuff |parts? )?(?:above|below|before|after)(?: this| here| code)? ${IS}${STATE}`,
  `(?:no |nothing )(?:more |other |further )?changes?(?: needed)?(?: (?:below|above|here|after this|to the rest|from here(?: on)?))?`,
  `(?:etc|and so on) ${STATE}`,
  `(?:[\\w.\`'()-]+ ){0,4}(?:${WIDE}|it|this) ${IS}${STATE}`,
  `(?:[\\w.\`'()-]+,? ){0,3}(?:and )?[\\w.\`'()-]+ (?:remains?|stays?|stay|is|are) ${STATE}`,
  `${STATE}(?: (?:from before|below|above|from here(?: on)?))?`,
  `(?:keep|leave|retain) (?:the |all |all the )?(?:existing|remaining|other|rest|everything)(?: else)?(?: of (?:the|your))?(?: \\w+)?(?: (?:${WIDE}))?`,
  `(?:(?:\\w+ )?(?:${WIDE}) )?continues?(?: (?:here|below|as before|unchanged))?`,
);
/** Names for parts that may be left out; they may also be the heading of the next lines. */
const NAMED = words(
  `(?:the |all |all the |your |my )?(?:existing|remaining|other|unchanged|omitted|more|previous|original|same) (?:\\w+ )?(?:${WIDE})(?: here| goes here| follows?| continues?| remains?| above| below)?`,
);
/** Words in short comments about lines that stay or are left out. */
const HINT =
  /\b(?:un(?:changed|modified|touched)|rest|remain(?:s|ing|der)?|same|omitted|skipped|(?:keep|leave) (?:the |all )?(?:existing|others?|everything)|no (?:more |other |further )?changes?|as (?:before|is|they are))\b/i;
/** Words of other languages for an omission, or for lines that stay; one in a short comment is enough. */
const FOREIGN =
  /其余|其他|其它|剩余|余下|省略|不变|不變|同上|保持|以下略|残り|変更なし|既存|나머지|생략|기존|\b(?:resto|restante|reste|übrige[nrs]?|unverändert|inchangée?s?|sin cambios|igual)\b|остальн|без изменений/iu;
const BARE = words(
  `(?:the )?(?:rest|remainder) of (?:the |this |your )?(?:[\\w.\`'()-]+ ){0,2}(?:${CORE})${OF}${TAIL}`,
  `(?:the |all |all the )?(?:existing|previous|original|remaining|other|unchanged|omitted) (?:[\\w.\`'()/-]+ ){0,2}(?:${CORE}|imports|tests)${OF}${TAIL}`,
  `(?:[\\w.\`'()-]+ ){0,3}(?:${CORE})${FIRM_TAIL}`,
  '(?:unchanged|rest unchanged|rest of it unchanged)',
);

function words(...patterns: readonly string[]): RegExp {
  return new RegExp(`^(?:${patterns.join('|')})$`, 'i');
}

const MAX_LENGTH = 160;
/** A quick check: no pattern matches without one of these, so most lines need nothing else. */
const POSSIBLE =
  /\.\s?\.|…|⋮|rest|remain|exist|previous|original|other|same|old|more|further|addition|prior|earlier|unmodified|untouched|identical|omit|snip|cut|truncat|elided|skip|chang|keep|leav|retain|preserv|insert|copy|includ|everything|all else|continue|and so on|as is|as before|brevity/i;

/** Reads a line that stands for lines left out, in any common comment style or none; undefined for any other line. */
export function readOmission(line: string): OmissionLine | undefined {
  const trimmed = line.trim();
  if (trimmed.length > MAX_LENGTH || !(POSSIBLE.test(trimmed) || FOREIGN.test(trimmed))) return undefined;
  const { inner: wrapped, comment } = unwrap(trimmed);
  const bracketed = BRACKETS.exec(wrapped);
  const inner = (bracketed?.slice(1).find((part) => part !== undefined) ?? wrapped).trim();
  if ((comment ? DOTTED : PLAIN_DOTS).test(inner))
    return { kind: bracketed === null || comment ? 'dots' : 'weak', comment };
  const led = /^(?:\.{3,}|…)/.test(inner);
  const trailed = /(?:\.{3,}|…)$/.test(inner);
  // A docstring is a comment only where dots mark it as a placeholder.
  if (bracketed?.[4] !== undefined && !led) return undefined;
  const said = inner
    .replace(DOTS, '')
    .replace(/^\((.*)\)$/, '$1')
    .replace(/^[-=*_~\s]{2,}|[-=*_~\s]{2,}$/g, '')
    .replace(/[,:;.!]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  const isBracketed = bracketed !== null;
  if (patternsFor({ led, trailed, comment, bracketed: isBracketed }).some((pattern) => pattern.test(said)))
    return { kind: 'words', comment };
  // A colon announces the following lines, so it is no placeholder for them.
  if ((!comment && !isBracketed) || inner.endsWith(':')) return undefined;
  const plain = said.replace(/^(?:todo|note|nb|fixme|etc) (?=\S)/i, '').replace(/[()[\]<>]/g, '');
  if ([STATED, UNMARKED].some((pattern) => pattern.test(plain))) return { kind: 'state', comment };
  const isWeak = NAMED.test(plain) || (isShort(plain) && ((comment && led) || FOREIGN.test(plain)));
  return isWeak ? { kind: 'weak', comment } : undefined;
}

/** Like `readOmission`. Also finds a comment that only hints at an omission, and an omission at the end of a line. */
export function readPlaceholder(line: string): OmissionLine | undefined {
  const whole = readOmission(line);
  if (whole !== undefined || line.length > MAX_LENGTH || !POSSIBLE.test(line)) return whole;
  if (EMPTY_BODY.test(line)) return { kind: 'weak', comment: false };
  const part = (INNER.exec(line) ?? TRAILING.exec(line))?.[1];
  const said = part === undefined ? undefined : readOmission(part);
  if (said !== undefined && said.kind !== 'weak') return { kind: 'weak', comment: false };
  const { inner, comment } = unwrap(line.trim());
  const isHint = comment && isShort(inner) && HINT.test(inner) && !/^\s*#[^\s!]|[:;{]$/.test(line);
  return isHint ? { kind: 'hint', comment } : undefined;
}

function isShort(said: string): boolean {
  return said.split(' ').length <= MAX_SHORT_WORDS;
}

const MAX_SHORT_WORDS = 10;

const EMPTY_BODY = /(?:\{ *(?:\.{3}|…) *\}[;,)]*|^\s*(?:async )?(?:def|class)\b.*: *\.{3}) *$/;
const INNER = /\{ *(\/\*.*\*\/) *\}[;,)]* *$/;
const TRAILING = /\S\s+((?:\/\/|#|--|\/\*|<!--)\s?[^\s/*#-].*)$/;

/** Matches a text in round, square or angle brackets, or in the quotes of a docstring. */
const BRACKETS = /^(?:\((.*)\)|\[(.*)\]|<(.*)>|(?:"""|''')(.*)(?:"""|'''))$/;

/** A longer line is data, and the patterns would take long on it. */
const MAX_COMMENT_LENGTH = 2000;

/** Whether a line is a comment and nothing else. */
export function isComment(line: string): boolean {
  const trimmed = line.trim();
  return trimmed.length <= MAX_COMMENT_LENGTH && unwrap(trimmed).comment;
}

interface Marks {
  readonly led: boolean;
  readonly trailed: boolean;
  readonly comment: boolean;
  readonly bracketed: boolean;
}

/** The less the line is marked as a placeholder, the more its words must say. */
function patternsFor({ led, trailed, comment, bracketed }: Marks): RegExp[] {
  if (led && (comment || bracketed)) return [LED];
  if (comment) return [trailed ? TRAILED : UNMARKED, ...(bracketed ? [BRACKETED] : [])];
  if (led || (trailed && bracketed)) return [BARE];
  return bracketed ? [UNMARKED] : [];
}

function unwrap(line: string): { inner: string; comment: boolean } {
  for (const [open, close] of WRAPPERS) {
    if (!open.test(line) || (close !== undefined && !close.test(line))) continue;
    const opened = line.replace(open, '');
    return { inner: close === undefined ? opened : opened.replace(close, ''), comment: true };
  }
  return { inner: line, comment: false };
}
