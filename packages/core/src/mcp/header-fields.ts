// RFC 9110 5.6.2 (token) and 5.5 (field value).
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** What belongs to the transport and to the protocol. */
const RESERVED =
  /^(?:host|content-.*|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|accept|accept-encoding|last-event-id|proxy-.*|mcp-.*)$/i;

/** Whether it can be sent as a header at all. Pure. */
export function isHeader(name: string, value: string): boolean {
  return NAME.test(name) && VALUE.test(value);
}

/** Whether a program may say it: nothing that decides where and how a message goes. Pure. */
export function isReservedHeader(name: string): boolean {
  return RESERVED.test(name);
}
