/** The body as UTF-8, which JSON is. Undefined when it is more than `mostBytes`: then no more of it is read. */
export async function responseText(response: Response, mostBytes: number): Promise<string | undefined> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    // Whoever leaves the loop cancels the body.
    if (bytes > mostBytes) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
