const DEEPEST = 60;

/**
 * Plain data with every text of it changed, names of fields included; the very same where nothing changes. What is neither text
 * nor plain (functions, bytes) stays. Deeper than any real data nothing is passed on.
 */
export function mapTexts<T>(value: T, change: (text: string) => string): T;
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  return mapped(value, change, 0);
}

/** All texts that `mapTexts` asks about; undefined where it leaves something out. */
export function textsIn(value: unknown): readonly string[] | undefined {
  const texts: string[] = [];
  const same = mapTexts(value, (text) => {
    texts.push(text);
    return text;
  });
  return same === value ? texts : undefined;
}

function mapped(value: unknown, change: (text: string) => string, depth: number): unknown {
  if (typeof value === 'string') return value.length < SHORTEST ? value : change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) return undefined;
  if (Array.isArray(value)) return mappedList(value, change, depth);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  // Signed by the provider, which takes it back only as it was.
  if ('signature' in value && 'type' in value && value.type === 'thinking') return value;
  return mappedObject(value, change, depth);
}

const SHORTEST = 4;

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
  const names = Object.keys(object);
  let changed: [string, unknown][] | undefined;
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index] ?? '';
    const item: unknown = Reflect.get(object, name);
    const next = MEDIA.has(name) && 'mimeType' in object ? item : mapped(item, change, depth + 1);
    const newName = name.length < 8 ? name : change(name);
    if (next !== item || newName !== name)
      changed ??= names.slice(0, index).map((before) => [before, Reflect.get(object, before)]);
    changed?.push([newName, next]);
  }
  return changed === undefined ? object : Object.fromEntries(changed);
}

/** Of pictures and the like, which are not looked through. */
const MEDIA: ReadonlySet<string> = new Set(['data', 'blob']);
