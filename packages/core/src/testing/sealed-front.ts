import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';

export interface SealedFrontOptions {
  /** What is behind it: a port of 127.0.0.1 that speaks no TLS. */
  readonly port: number;
  /** Whom the certificate is for, as openssl writes it. Default: `IP:127.0.0.1`. */
  readonly subject?: string;
  /** For how long it is valid; -1 for one that was until yesterday. */
  readonly days?: number;
}

export interface SealedFront {
  readonly port: number;
  /** A file with the certificate of who signed it, whom no machine knows. */
  readonly authorityFile: string;
  /** How many came so far. */
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}

export const hasOpenssl: boolean = existsSync('/usr/bin/openssl');

/** TLS before a server that has none, with a certificate of an authority of its own. Needs openssl. */
export async function startSealedFront(options: SealedFrontOptions): Promise<SealedFront> {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-tls-'));
  const file = (name: string): string => join(folder, name);
  const sign = (words: string): void =>
    void execFileSync('openssl', words.split(' '), { cwd: folder, stdio: 'ignore' });
  const key = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes';
  sign(`req -x509 ${key} -days 2 -subj /CN=authority -keyout ca.key -out ca.pem`);
  const subject = options.subject ?? 'IP:127.0.0.1';
  sign(`req ${key} -subj /CN=server -addext subjectAltName=${subject} -keyout key.pem -out request.pem`);
  const signer = '-CA ca.pem -CAkey ca.key -CAcreateserial -copy_extensions copy';
  sign(`x509 -req -in request.pem ${signer} -days ${options.days ?? 2} -out cert.pem`);
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer(
    { key: readFileSync(file('key.pem')), cert: readFileSync(file('cert.pem')) },
    (sealed) => {
      const onward = connect(options.port, '127.0.0.1');
      sealed.pipe(onward).pipe(sealed);
      onward.on('error', () => sealed.destroy()).on('close', () => sealed.destroy());
      sealed.on('error', () => undefined).on('close', () => onward.destroy());
    },
  );
  server.on('tlsClientError', () => undefined);
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    authorityFile: file('ca.pem'),
    connections: () => connections,
    close: async () => {
      rmSync(folder, { recursive: true, force: true });
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
