/**
 * The part of `newMatcher` that knows where a match may begin (JavaScript as text; see `matcher-source.ts`).
 */
export const STARTS_SOURCE = String.raw`
  function isWhole(at) {
    return (at === seenFrom || codeBefore(text, at, seenFrom) !== -1) && (at === end || codeAt(text, at, end) !== -1);
  }

  /** From there on. */
  function nextStart(at) {
    const isWithin = isOfBytes ? (code) => (code & 0xc0) === 0x80 : (code) => (code & 0xfc00) === 0xdc00;
    while (at < text.length && isWithin(text.charCodeAt(at))) at++;
    return at;
  }

  let looked = 0;
  /** What every match begins with; undefined where it may be nothing, or anything. */
  function firstOf(node, rest) {
    if (++looked > MAX_LOOKED) return undefined;
    switch (node.kind) {
      case 'set':
        return [node];
      case 'sequence':
        return firstOfAll([...node.parts, ...rest]);
      case 'either':
        return firstOfAny(node.branches, rest);
      case 'condition':
        return firstOfAny([node.yes, node.no], rest);
      case 'group':
      case 'atomic':
        return firstOfAll([node.body, ...rest]);
      case 'repeat': {
        const first = node.most === 0 ? [] : firstOfAll([node.body, ...rest]);
        const other = node.least > 0 ? [] : firstOfAll(rest);
        return first === undefined || other === undefined ? undefined : [...first, ...other];
      }
      case 'look':
        return firstOfAll(rest);
      case 'place':
        return node.place === 'byte' ? undefined : firstOfAll(rest);
      default:
        return undefined;
    }
  }

  function firstOfAll([node, ...rest]) {
    return node === undefined ? undefined : firstOf(node, rest);
  }

  function firstOfAny(branches, rest) {
    const all = branches.map((branch) => firstOf(branch, rest));
    return all.includes(undefined) || all.length > MAX_FIRST ? undefined : all.flat();
  }

  /** Of the first 256 code units, those that may begin a match. */
  function tableOf(sets) {
    if (sets === undefined || sets.length > MAX_FIRST) return undefined;
    const ones = sets.map((node) => ({ ...compileOne(node), ofByte: node.ofByte }));
    const isIn = (unit) => ones.some((one) => one.isIn(unit) || (isOfBytes && unit > 0x7f && !one.ofByte));
    return Uint8Array.from({ length: 0x100 }, (_, unit) => (isIn(unit) ? 1 : 0));
  }

  function nextPossible(at) {
    if (mayStart === undefined) return at;
    while (at < text.length && mayStart[text.charCodeAt(at)] === 0) at++;
    return at;
  }
`;
