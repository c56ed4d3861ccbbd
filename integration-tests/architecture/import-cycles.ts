import type { SourceFile } from '../source-files.js';
import { isTest, type Finding } from './finding.js';
import { importsOf } from './imports.js';

/** Files that import one another, directly or through others; type imports count. One finding for each knot. */
export function checkImportCycles(files: readonly SourceFile[]): Finding[] {
  const sources = files.filter(({ path }) => !isTest(path));
  const known = new Set(sources.map(({ path }) => path));
  const graph = new Map(
    sources.map((file) => {
      const targets = importsOf(file).flatMap(({ target }) =>
        target !== undefined && known.has(target) ? [target] : [],
      );
      return [file.path, [...new Set(targets)]] as const;
    }),
  );
  return knots(graph).map((knot) => {
    const [path = ''] = [...knot].sort();
    const circle = circleThrough(path, knot, graph);
    return { path, line: 1, message: `Import cycle of ${knot.size} files: ${circle.join(' → ')}.` };
  });
}

type Graph = ReadonlyMap<string, readonly string[]>;

/** Strongly connected components of more than one file, or of one that imports itself (Tarjan 1972). */
function knots(graph: Graph): ReadonlySet<string>[] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: ReadonlySet<string>[] = [];
  const visit = (node: string): number => {
    index.set(node, index.size);
    low.set(node, index.get(node) ?? 0);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      const reach = !index.has(next)
        ? visit(next)
        : stack.includes(next)
          ? (index.get(next) ?? 0)
          : Number.POSITIVE_INFINITY;
      low.set(node, Math.min(low.get(node) ?? 0, reach));
    }
    if (low.get(node) === index.get(node)) {
      const component = stack.splice(stack.indexOf(node));
      if (component.length > 1 || graph.get(node)?.includes(node) === true) found.push(new Set(component));
    }
    return low.get(node) ?? 0;
  };
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return found;
}

/** A shortest way from the file back to itself, for the message. */
function circleThrough(start: string, knot: ReadonlySet<string>, graph: Graph): string[] {
  const ways: string[][] = [[start]];
  const seen = new Set<string>();
  for (let way = ways.shift(); way !== undefined; way = ways.shift()) {
    for (const next of graph.get(way.at(-1) ?? '') ?? []) {
      if (next === start) return [...way, start];
      if (!knot.has(next) || seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return [start];
}
