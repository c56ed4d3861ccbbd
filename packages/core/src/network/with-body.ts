/** The same response, of the global kind, with another body. It keeps the first from the garbage collector, which would end the body with it. */
export function withBody(
  response: Pick<Response, 'status' | 'statusText' | 'url' | 'redirected'> & {
    readonly headers: Iterable<[string, string]>;
  },
  body: ReadableStream<Uint8Array> | null,
): Response {
  const { status, statusText, headers } = response;
  return Object.defineProperties(new Response(body, { status, statusText, headers: [...headers] }), {
    url: { get: () => response.url },
    redirected: { get: () => response.redirected },
  });
}
