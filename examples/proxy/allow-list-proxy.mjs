// A proxy that reaches the hosts which it was started with, and no others, and says of each request whether it let it through.
//   node allow-list-proxy.mjs [--port N] HOST…
// HOST is `api.example.com`, `*.example.com` (all names below it) or `example.com:8443`; without a port: 80 and 443.
import { createServer, request as send } from 'node:http';
import { connect } from 'node:net';

const args = process.argv.slice(2);
const port = args[0] === '--port' ? Number(args.splice(0, 2)[1]) : 3128;
if (args.length === 0 || !Number.isInteger(port) || args.some((host) => !/^(?:\*\.)?[\w.-]+(?::\d+)?$/.test(host))) {
  console.error(
    'Usage: node allow-list-proxy.mjs [--port N] HOST…   HOST: api.example.com, *.example.com, example.com:8443',
  );
  process.exit(2);
}

const allowed = args.map((text) => {
  const [name = '', own] = text.toLowerCase().split(':');
  return { name, ports: own === undefined ? [80, 443] : [Number(own)] };
});

/** Whole labels count: `*.example.com` is neither `example.com` nor `badexample.com`. */
function isAllowed(host, hostPort) {
  const plain = host.toLowerCase().replace(/\.$/, '');
  return allowed.some(({ name, ports }) => {
    if (!ports.includes(hostPort)) return false;
    return name.startsWith('*.') ? plain.endsWith(name.slice(1)) : plain === name;
  });
}

function judge(method, host, hostPort) {
  const isFine = isAllowed(host, hostPort);
  console.log(`${new Date().toISOString()} ${isFine ? 'allowed' : 'refused'} ${method} ${host}:${hostPort}`);
  return isFine;
}

/** By RFC 9209, so that without TLS too it can be told who said no. */
const DENIED = 'allow-list-proxy; error=http_request_denied';

function refusal(host, hostPort) {
  const name = hostPort === 80 || hostPort === 443 ? host : `${host}:${hostPort}`;
  return `This proxy does not reach ${host}:${hostPort}. To allow it, start the proxy with ${name} as well.\n`;
}

/** They are about one connection, of which there are two here. */
const OWN_HEADERS = new Set(['connection', 'keep-alive', 'proxy-authorization', 'proxy-connection', 'te', 'upgrade']);

function withoutOwn(headers) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name)));
}

/** Without TLS: the request names the whole address, and the proxy sees all of it. */
const server = createServer((request, response) => {
  const say = (status, text, more = {}) =>
    response.writeHead(status, { 'content-type': 'text/plain', ...more }).end(text);
  const target = URL.canParse(request.url) ? new URL(request.url) : undefined;
  if (target?.protocol !== 'http:')
    return say(400, 'This is a proxy: ask it for http://host/path, or for CONNECT host:port.\n');
  const hostPort = target.port === '' ? 80 : Number(target.port);
  if (!judge(request.method, target.hostname, hostPort))
    return say(403, refusal(target.hostname, hostPort), { 'proxy-status': DENIED });
  const { method, headers } = request;
  const onward = send(target, { method, headers: { ...withoutOwn(headers), host: target.host } }, (answer) => {
    response.writeHead(answer.statusCode, withoutOwn(answer.headers));
    answer.pipe(response);
  });
  onward.on('error', ({ message }) => (response.headersSent ? response.destroy() : say(502, `${message}\n`)));
  response.on('close', () => onward.destroy());
  return request.pipe(onward);
});

/** With TLS: a tunnel to host and port, of which the proxy sees no more than these two. */
server.on('connect', (request, socket, head) => {
  socket.on('error', () => undefined);
  const [, host, digits] = /^([\w.-]+):(\d{1,5})$/.exec(request.url) ?? [];
  const answer = (status, text) =>
    socket.end(
      `HTTP/1.1 ${status}\r\ncontent-type: text/plain\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    );
  if (host === undefined) return answer('400 Bad Request', 'CONNECT takes a name and a port.\n');
  if (!judge('CONNECT', host, Number(digits))) return answer('403 Forbidden', refusal(host, Number(digits)));
  let isOpen = false;
  const onward = connect(Number(digits), host, () => {
    isOpen = true;
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    onward.write(head);
    onward.pipe(socket).pipe(onward);
  });
  onward.on('error', ({ message }) => (isOpen ? socket.destroy() : answer('502 Bad Gateway', `${message}\n`)));
  return socket.on('close', () => onward.destroy());
});

server.on('clientError', (_error, socket) => socket.destroy());
// An answer of a model may be silent for long.
server.requestTimeout = 0;
// Only for this machine: a proxy that is open to a network is everybody's.
server.listen(port, '127.0.0.1', () => console.log(`Listening on http://127.0.0.1:${server.address().port}`));
