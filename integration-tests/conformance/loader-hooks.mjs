const SHIM = new URL('./fs-with-glob.mjs', import.meta.url).href;

export async function resolve(specifier, context, next) {
  const isSuite = context.parentURL?.includes('@modelcontextprotocol/conformance') === true;
  if ((specifier === 'fs' || specifier === 'node:fs') && isSuite) return { url: SHIM, shortCircuit: true };
  return next(specifier, context);
}
