// Loaded before a program (`node --import`): writes each connection and each question of a name to the file CONNECTIONS_FILE.
import dgram from 'node:dgram';
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import net from 'node:net';

const file = process.env.CONNECTIONS_FILE;
const note = (what) => appendFileSync(file, `${what}\n`);

const connect = Reflect.get(net.Socket.prototype, 'connect');
net.Socket.prototype.connect = function (...given) {
  const [first, second] = Array.isArray(given[0]) ? given[0] : given;
  const { host, port, path } = typeof first === 'object' ? first : { host: second, port: first, path: undefined };
  // A path is a socket of this machine that both sides share, such as the pipe to a child.
  if (path === undefined || path === null) note(`tcp ${host ?? 'localhost'}:${port}`);
  return connect.apply(this, given);
};

const { lookup } = dns;
dns.lookup = (name, ...given) => {
  note(`name ${name}`);
  return lookup(name, ...given);
};

const send = Reflect.get(dgram.Socket.prototype, 'send');
dgram.Socket.prototype.send = function (...given) {
  note('udp');
  return send.apply(this, given);
};
