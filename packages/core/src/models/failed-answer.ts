import { asArray, asObject, asText, at, type WireObject } from './wire-json.js';

/** Fields that mark a part of an answer; each part has one: chat completions, Messages, generateContent. */
const ANSWER_FIELDS = ['choices', 'candidates', 'content', 'delta', 'content_block', 'promptFeedback'];
/** Codes that mean success. */
const FINE = new Set<unknown>([undefined, null, '', 0, '0', 200, '200', 'ok', 'success', 'Success', true]);

/** Signs that a payload is not part of an answer; a row for each way in which servers say so. */
const SIGNS: readonly ((payload: WireObject) => boolean)[] = [
  // DashScope, Zhipu and gateways: {"code": "InvalidApiKey", "message": "…"}
  ({ code, message, msg }) => !FINE.has(code) && (asText(message) ?? asText(msg)) !== undefined,
  // vLLM, SGLang, FastChat
  ({ object }) => object === 'error',
  // FastAPI
  ({ detail }) => asText(detail) !== undefined || asArray(detail).length > 0,
  // Cloudflare
  ({ errors }) => asArray(errors).length > 0,
  // DeepInfra, Qianfan
  ({ error_message: message, error_msg: msg }) => (asText(message) ?? asText(msg)) !== undefined,
  ({ success }) => success === false,
  // An HTTP status in the body (RFC 9457)
  ({ status }) => typeof status === 'number' && status >= 400 && status < 600,
  // MiniMax
  (payload) => !FINE.has(at(payload, 'base_resp', 'status_code')),
];

/** Returns true if a part of an answer with status 200 reports that the request failed. Pure. */
export function isFailedAnswer(payload: unknown): boolean {
  const object = asObject(Array.isArray(payload) ? payload[0] : payload);
  if (object === undefined) return false;
  const { error } = object;
  if (asText(error) !== undefined || Object.keys(asObject(error) ?? {}).length > 0) return true;
  const isAnswer = ANSWER_FIELDS.some((field) => asArray(object[field]).length > 0 || asObject(object[field]));
  return !isAnswer && SIGNS.some((says) => says(object));
}
