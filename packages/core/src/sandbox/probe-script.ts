/** What the script is told, as JSON in its last argument. */
export interface ProbeTargets {
  readonly workspace: string;
  readonly outside: string;
  readonly secret: string;
  readonly control: string;
  readonly port: number;
  /** Of a service that the list of hosts allows, where there is a list. */
  readonly allowedPort: number;
  readonly socket: string;
  /** A process outside. */
  readonly pid: number;
}

/** Names of what is tried, with what it means when it fails. */
export const PROBE_PROMISES = {
  write: 'files outside the workspace cannot be changed',
  control: 'control files cannot be made or changed',
  secret: 'secrets cannot be read',
  connect: 'there is no network',
  hosts: 'only the allowed hosts are reached',
  socket: 'Unix sockets are closed',
  remount: 'nothing can be mounted',
  kernel: "the kernel's settings cannot be changed",
  processes: 'other processes can neither be seen nor ended',
} as const;

export type ProbeName = keyof typeof PROBE_PROMISES;

/**
 * Runs in Node inside the sandbox: really tries what must not work, and prints a JSON object of the names of
 * `PROBE_PROMISES` that were kept, and of `works`: that the workspace can be changed and programs run. Whether `write`
 * was kept is seen outside.
 */
export const PROBE_SCRIPT = `
const fs = require('node:fs'), net = require('node:net'), { spawnSync } = require('node:child_process');
const t = JSON.parse(process.argv[process.argv.length - 1]);
const fails = (act) => { try { act(); return false; } catch { return true; } };
const kept = {};
try { fs.writeFileSync(t.workspace + '/made', 'x'); kept.works = spawnSync('/bin/sh', ['-c', 'exit 7']).status === 7; } catch {}
fails(() => fs.writeFileSync(t.outside, 'x')); fails(() => fs.unlinkSync(t.outside));
kept.control = fails(() => fs.writeFileSync(t.control + '/tasks.json', 'x')) && fails(() => fs.rmdirSync(t.control));
kept.secret = fails(() => fs.readFileSync(t.secret + '/key'));
kept.remount = !['/bin/mount', '/usr/bin/mount', '/sbin/mount'].some((mount) =>
  fs.existsSync(mount) && spawnSync(mount, ['-o', 'remount,rw,bind', '/']).status === 0);
kept.kernel = fails(() => fs.closeSync(fs.openSync('/proc/sys/kernel/core_pattern', 'r+')));
kept.processes = fails(() => process.kill(t.pid, 0)) && !fs.existsSync('/proc/' + t.pid + '/environ');
const reach = (where) => new Promise((resolve) => {
  const socket = net.connect(where);
  socket.on('connect', () => { socket.destroy(); resolve(true); });
  socket.on('error', () => resolve(false));
  setTimeout(() => { socket.destroy(); resolve(false); }, 1000).unref();
});
const ask = (proxy, where) => new Promise((resolve) => {
  const socket = net.connect({ host: proxy.hostname, port: proxy.port }, () => socket.write('CONNECT ' + where + ' HTTP/1.1\\r\\nHost: ' + where + '\\r\\n\\r\\n'));
  socket.on('data', (data) => { socket.destroy(); resolve(String(data).split(' ')[1]); });
  socket.on('error', () => resolve('none'));
  setTimeout(() => { socket.destroy(); resolve('none'); }, 2000).unref();
});
const offer = (path) => new Promise((resolve) => {
  const server = net.createServer();
  server.on('error', () => resolve(false));
  server.listen(path, () => { server.close(); resolve(true); });
});
(async () => {
  const proxy = process.env.HTTP_PROXY && new URL(process.env.HTTP_PROXY);
  kept.hosts = Boolean(proxy) && (await ask(proxy, 'localhost:' + t.allowedPort)) === '200' &&
    (await ask(proxy, '127.0.0.1:' + t.port)) === '403' && (await ask(proxy, 'example.com:443')) === '403';
  kept.connect = !(await reach({ host: '127.0.0.1', port: t.port }));
  kept.socket = !(await reach({ path: t.socket })) && !(await offer('/tmp/probe.socket'));
  process.stdout.write(JSON.stringify(kept));
})();
`;
