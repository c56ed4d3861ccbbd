// Rebuilds files as they were before a patch, as far as the patch and its recorded diff show them.

/**
 * Returns the content before and after by path of the patch; null means no file. Lines that neither shows are filled in, each with its own
 * text. Undefined if the patch and the diff do not fit together.
 */
export function filesBefore(patch, changes) {
  const files = new Map();
  for (const file of patch) {
    const change = changeOf(changes, file.path);
    if (change === undefined) return undefined;
    if (file.kind === 'add') files.set(file.path, { before: null, after: change.content });
    else if (file.kind === 'delete') files.set(file.path, { before: change.content, after: null });
    else {
      const rebuilt = rebuild(file.hunks, diffOf(change.unified_diff));
      if (rebuilt === undefined) return undefined;
      const target = file.movedTo ?? file.path;
      files.set(file.path, { before: rebuilt.before, after: target === file.path ? rebuilt.after : null });
      if (target !== file.path) files.set(target, { before: null, after: rebuilt.after });
    }
  }
  return files;
}

/** Finds the change of a path by the longest common end. Paths in the records are relative or have replaced names. */
function changeOf(changes, wanted) {
  const parts = (name) => name.split('/').toReversed();
  const common = (name) => {
    const own = parts(name);
    const end = parts(wanted).findIndex((part, index) => part !== own[index]);
    return end === -1 ? own.length : end;
  };
  const [best] = Object.keys(changes).toSorted((one, other) => common(other) - common(one));
  return best === undefined || common(best) === 0 ? undefined : changes[best];
}

/** Reads a unified diff by old line number (1-based): the line's text, whether it is removed, and the lines added before it. */
function diffOf(text) {
  const lines = new Map();
  const gone = new Set();
  const come = new Map();
  let at = 0;
  let open;
  for (const line of text.split('\n').slice(0, -1)) {
    const head = /^@@ -(\d+)(?:,(\d+))? \+/.exec(line);
    if (head !== null) {
      // An empty range names the line before it.
      at = Number(head[1]) + (head[2] === '0' ? 1 : 0);
      continue;
    }
    if (line.startsWith('\\')) {
      open = true;
      continue;
    }
    if (line.startsWith('+')) come.set(at, [...(come.get(at) ?? []), line.slice(1)]);
    else {
      lines.set(at, line.slice(1));
      if (line.startsWith('-')) gone.add(at);
      at += 1;
    }
  }
  return { lines, gone, come, open };
}

function rebuild(hunks, diff) {
  const known = new Map(diff.lines);
  const places = placeHunks(hunks, known);
  if (places === undefined) return undefined;
  const last = Math.max(0, ...known.keys());
  const total = diff.open === true ? last : last + 3;
  const before = Array.from(
    { length: total },
    (_, index) => known.get(index + 1) ?? `<line ${index + 1} is not shown>`,
  );
  const after = [];
  for (let at = 1; at <= total + 1; at += 1) {
    after.push(...(diff.come.get(at) ?? []));
    if (at <= total && !diff.gone.has(at)) after.push(before[at - 1]);
  }
  const join = (lines) => (lines.length === 0 ? '' : lines.join('\n') + (diff.open === true ? '' : '\n'));
  return { before: join(before), after: join(after) };
}

/** Places the lines of all hunks among the known ones, in order. Returns undefined if one fits nowhere. */
function placeHunks(hunks, known) {
  let cursor = 1;
  const end = Math.max(1, ...known.keys()) + 1;
  const pending = [];
  for (const { lines } of hunks) {
    const old = lines.filter(({ kind }) => kind !== 'added').map(({ text }) => text);
    if (old.length === 0) continue;
    const renewed = lines.filter(({ kind }) => kind !== 'removed').map(({ text }) => text);
    // The diff does not show a hunk that changes nothing.
    const isAnchor = old.join('\n') === renewed.join('\n');
    let best;
    for (let first = cursor; first <= end; first += 1) {
      const alike = alikeAt(old, known, first);
      if (alike !== undefined && alike > (best?.alike ?? 0)) best = { first, alike };
    }
    if (best === undefined) {
      if (!isAnchor) return undefined;
      pending.push({ old, from: cursor });
      continue;
    }
    for (const one of pending.splice(0)) if (!setBetween(one, known, best.first)) return undefined;
    for (const [index, text] of old.entries()) known.set(best.first + index, text);
    cursor = best.first + old.length;
  }
  return pending.every((one) => setBetween(one, known, Math.max(end, cursor) + one.old.length)) ? known : undefined;
}

/** Counts the lines that are known to stand there; undefined if a different line is known. Blank lines weigh a tenth. */
function alikeAt(old, known, first) {
  let alike = 0;
  for (const [index, text] of old.entries()) {
    const there = known.get(first + index);
    if (there === undefined) continue;
    if (there !== text) return undefined;
    alike += text.trim() === '' ? 0.1 : 1;
  }
  return alike;
}

/** Places lines that only say where to go on and that the diff does not show: at the last free place before the next hunk. */
function setBetween({ old, from }, known, to) {
  for (let first = to - old.length; first >= from; first -= 1) {
    if (alikeAt(old, known, first) === undefined) continue;
    for (const [index, text] of old.entries()) known.set(first + index, text);
    return true;
  }
  return false;
}
