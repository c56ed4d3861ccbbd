import { expect, it } from 'vitest';
import { responseText } from './response-text.js';

const HALVES = [Buffer.from('grü'.slice(0, 2)), Buffer.from('ü').subarray(0, 1), Buffer.from('ü').subarray(1)];

function streamed(): { readonly response: Response; readonly isCancelled: () => boolean } {
  const left = [...HALVES];
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = left.shift();
      if (next === undefined) controller.close();
      else controller.enqueue(new Uint8Array(next));
    },
    cancel: () => void (isCancelled = true),
  });
  return { response: new Response(body), isCancelled: () => isCancelled };
}

it('puts characters together that arrive in parts', async () => {
  expect(await responseText(streamed().response, 4)).toBe('grü');
  expect(await responseText(new Response(null), 4)).toBe('');
});

it('is undefined for a body of more bytes, which is read no further', async () => {
  const { response, isCancelled } = streamed();
  expect(await responseText(response, 1)).toBeUndefined();
  expect(isCancelled()).toBe(true);
});
