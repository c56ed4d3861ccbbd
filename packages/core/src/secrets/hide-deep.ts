const DEEPEST = 60;

/**
 * Plain data with every text of it changed, names of fields included; the very same where nothing changes. What is neither text
 * nor plain (functions, bytes) stays. Deeper than any real data nothing is passed on.
 */
export function mapTexts<T>(value: T, change: (text: string) => string): T;
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  return mapped(value, change, 0);
}

/** All texts that `mapTexts` would ask about; undefined where it would leave something out. */
export function textsIn(value: unknown): readonly string[] | undefined {
  const texts: string[] = [];
  return gather(value, texts, 0) ? texts : undefined;
}

function gather(value: unknown, texts: string[], depth: number): boolean {
  if (typeof value === 'string') {
    if (value.length >= SHORTEST) texts.push(value);
    return true;
  }
  if (typeof value !== 'object' || value === null) return true;
  if (depth > DEEPEST) return false;
  if (Array.isArray(value)) return value.every((item) => gather(item, texts, depth + 1));
  if (staysAsItIs(value)) return true;
  return Object.entries(value).every(([name, item]: [string, unknown]) => {
    if (name.length >= SHORTEST_NAME) texts.push(name);
    return isMedia(name, value) || gather(item, texts, depth + 1);
  });
}

function mapped(value: unknown, change: (text: string) => string, depth: number): unknown {
  if (typeof value === 'string') return value.length < SHORTEST ? value : change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) return undefined;
  if (Array.isArray(value)) return mappedList(value, change, depth);
  return staysAsItIs(value) ? value : mappedObject(value, change, depth);
}

const SHORTEST = 4;
const SHORTEST_NAME = 8;

function staysAsItIs(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return true;
  // Signed by the provider, which takes it back only as it was.
  return 'signature' in value && 'type' in value && value.type === 'thinking';
}

function mappedList(list: readonly unknown[], change: (text: string) => string, depth: number): readonly unknown[] {
  let changed: unknown[] | undefined;
  for (const [index, item] of list.entries()) {
    const next = mapped(item, change, depth + 1);
    if (next === item) continue;
    changed ??= [...list];
    changed[index] = next;
  }
  return changed ?? list;
}

function mappedObject(object: object, change: (text: string) => string, depth: number): object {
  let isChanged = false;
  const entries = Object.entries(object).map(([name, item]: [string, unknown]): [string, unknown] => {
    const newName = name.length < SHORTEST_NAME ? name : change(name);
    const next = isMedia(name, object) ? item : mapped(item, change, depth + 1);
    isChanged ||= next !== item || newName !== name;
    return [newName, next];
  });
  return isChanged ? Object.fromEntries(entries) : object;
}

/** Bytes of pictures and the like, which are not looked through. */
function isMedia(name: string, holder: object): boolean {
  return (name === 'data' || name === 'blob') && 'mimeType' in holder;
}
