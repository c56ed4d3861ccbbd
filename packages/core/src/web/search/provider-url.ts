/**
 * The address of a provider's endpoint with a query. `own` wins over `options`; of those, lists are joined by commas, as the
 * providers want them.
 */
export function searchUrl(
  baseUrl: string,
  path: string,
  options: Readonly<Record<string, unknown>>,
  own: Readonly<Record<string, string | number>>,
): string {
  const url = new URL(`${baseUrl}${path}`);
  for (const [name, value] of Object.entries({ ...options, ...own })) url.searchParams.set(name, parameterText(value));
  return url.href;
}

function parameterText(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map(parameterText).join(',') : JSON.stringify(value ?? '');
}
