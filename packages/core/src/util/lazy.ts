/** Makes a constant when it is first asked for: what a table of patterns costs is not paid by a start that needs none of it. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
