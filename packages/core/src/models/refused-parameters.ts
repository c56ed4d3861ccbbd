import type { OptionalParameter } from './optional-parameters.js';
import { asArray, asObject, asText, parseJson } from './wire-json.js';

/** Matches the ways in which servers refuse a parameter. */
const REFUSAL =
  /unsupported|not (?:be )?(?:supported|permitted|allowed|enabled|recogni[sz]ed|a valid)|n[o']t support|unknown|unrecogni[sz]ed|unexpected|extra[ _](?:inputs?|fields?|forbidden)|extraneous|cannot find field|deprecated|only be (?:defined|set|used|specified)|only (?:valid|allowed) when/i;
/** Matches advice: the text after it names other parameters, which would be accepted. */
const ADVICE =
  /[,;]? *\b(?:expected one of|(?:allowed|valid|supported|accepted|known) (?:fields|parameters|keys|names|arguments|properties)|(?:please )?use |try |did you mean)\b.*$/i;
/** Keys under which servers repeat the request. */
const ECHOES = new Set(['input', 'ctx', 'body', 'request', 'url']);

/** Returns the sent parameters that a failure refuses. Pure; loaded when it is needed. */
export function refusedParameters(
  { status, body }: { readonly status: number; readonly body: string },
  sent: readonly OptionalParameter[],
): readonly OptionalParameter[] {
  // These statuses are not about the request's parameters.
  if ([401, 402, 403, 407, 408, 413, 429].includes(status)) return [];
  const said = statements(body);
  return sent.filter((one) => said.some((statement) => refuses(statement, one)));
}

function refuses(statement: string, { path, names = [], isWish }: OptionalParameter): boolean {
  if (!REFUSAL.test(statement)) return false;
  if (isWish === true && /\bvalues?\b/i.test(statement)) return false;
  return [path, ...names].some((name) => {
    const word = name.replace(/\./g, '\\.');
    // A match within another name or path does not count, as in `messages[0].temperature`.
    return new RegExp(`(?<![\\w.-])${word}(?![\\w[-]|\\.\\w)`, 'i').test(statement);
  });
}

/** Cuts the text of a failure so that each piece is about one parameter. */
function statements(body: string): readonly string[] {
  const json = parseJson(body);
  return json === undefined ? sentences(body) : statementsIn(json, 0);
}

function statementsIn(value: unknown, depth: number): readonly string[] {
  if (depth > 6) return [];
  if (typeof value === 'string')
    return parseJson(value) === undefined ? sentences(value) : statementsIn(parseJson(value), depth + 1);
  if (Array.isArray(value)) return asArray(value).flatMap((item) => statementsIn(item, depth + 1));
  const object = asObject(value);
  if (object === undefined) return [];
  const place =
    asText(object['param']) ??
    asArray(object['loc'])
      .filter((step) => step !== 'body')
      .join('.');
  const about = ['code', 'type', 'msg', 'message'].map((key) => asText(object[key]) ?? '');
  const own = place === '' ? [] : sentences(`'${place}' ${about.join(' ')}`).slice(0, 1);
  const parts = Object.entries(object).filter(([key]) => !ECHOES.has(key));
  return [...own, ...parts.flatMap(([, part]) => statementsIn(part, depth + 1))];
}

function sentences(text: string): readonly string[] {
  return text
    .replace(/\n\s+/g, ' ')
    .split(/\n|;|\}|(?<=[.!?])\s/)
    .map((sentence) => sentence.replace(/\bbody(?:\.| -> )/g, ' ').replace(ADVICE, ''));
}
