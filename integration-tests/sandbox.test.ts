import { spawn, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Bubblewrap } from '../packages/core/src/sandbox/bubblewrap.js';
import type { Sandbox } from '../packages/core/src/sandbox/sandbox-types.js';
import { ARCHITECTURES, type SystemCall } from '../packages/core/src/sandbox/syscall-numbers.js';
import {
  makeFixture,
  openFixture,
  runInside,
  runPrepared,
  whyNotHere,
  type InsideResult,
  type SandboxFixture,
} from './sandbox-fixture.js';

const reason = await whyNotHere();
if (reason !== undefined) process.stdout.write(`The sandbox is not tried: ${reason}\n`);

const SECRET = 'the-secret-text';

describe.skipIf(reason !== undefined)('a command in the sandbox', () => {
  let fixture: SandboxFixture;
  let sandbox: Sandbox;
  const inside = async (script: string, env?: Record<string, string>): Promise<InsideResult> =>
    runInside(sandbox, fixture, script, env);

  beforeAll(async () => {
    fixture = await makeFixture({
      'root/a.txt': 'a\n',
      'root/.npmrc': 'save-exact=true\n',
      'root/.claude/settings.json': '{}',
      'root/.cargo/config.toml': '[build]\n',
      'home/.ssh/id_ed25519': SECRET,
      'home/.aws/credentials': SECRET,
      'home/.netrc': SECRET,
      'home/.bash_history': SECRET,
      'home/.config/gh/hosts.yml': SECRET,
      'home/.tenon/settings.json': SECRET,
      'home/notes.txt': 'readable',
      'outside/kept.txt': 'kept',
    });
    const git = spawn('git', ['init', '-q', '-b', 'main', fixture.root], { stdio: 'ignore' });
    await once(git, 'close');
    sandbox = await openFixture(fixture);
  });
  afterAll(async () => fixture.remove());

  it('is held by bubblewrap, and every proof says so', () => {
    expect(sandbox.status).toMatchObject({ mechanism: 'bubblewrap', text: expect.stringContaining('8 of 8') });
    expect(sandbox.status.probes.filter(({ holds }) => !holds)).toEqual([]);
  });

  describe('works as outside:', () => {
    it.each([
      ['the workspace can be changed', 'echo b > b.txt && mkdir d && mv b.txt d/ && rm -r d && cat a.txt', 'a\n'],
      ['/tmp can be used, and is kept', 'echo t > /tmp/t; cat /var/tmp/t "${TMPDIR:-/tmp}/t"', 't\nt\n'],
      ['it has a name and is not root', 'test "$(id -u)" != 0 && id -un > /dev/null && echo yes', 'yes\n'],
      [
        'node starts programs and asks who it is',
        `node -e "
        const c = require('node:child_process'); require('node:os').userInfo();
        c.fork('/dev/null', [], { stdio: ['pipe', 'pipe', 'pipe', 'ipc'] }).on('exit', (code) => console.log('fork', code));
        console.log(c.execFileSync('/bin/echo', ['child']).toString().trim());"`,
        'child\nfork 0\n',
      ],
      [
        'node talks to itself over TCP',
        `node -e "
        const s = require('node:net').createServer((c) => c.end('hi')).listen(0, '127.0.0.1', () =>
          require('node:net').connect(s.address().port, '127.0.0.1').on('data', (d) => { console.log(String(d)); s.close(); }));"`,
        'hi\n',
      ],
      [
        'threads start',
        `node -e "new (require('node:worker_threads').Worker)('console.log(1)', { eval: true })"`,
        '1\n',
      ],
      [
        'git commits',
        'git add a.txt && git -c user.name=n -c user.email=e@e.e commit -qm m && git log --oneline | wc -l',
        '1\n',
      ],
      [
        'git sees nothing of the sandbox',
        'git status --porcelain --untracked-files=all | grep -cE "mcp|vscode|tenon"',
        '0\n',
      ],
      ['git adds all', 'git add -A && git ls-files | grep -c mcp', '0\n'],
      ['npm answers', 'npm config get save-exact', 'true\n'],
      [
        'perl and python run',
        "perl -e \"print 1+1\"; PATH=/usr/bin:/bin python3 -c \"import subprocess,socket; a,b=socket.socketpair(); print(subprocess.check_output(['echo','p']).decode(),end='')\" || true",
        '2p\n',
      ],
      ['process substitution and /dev/stderr', 'cat <(echo x); (echo y > /dev/stdout) | cat', 'x\ny\n'],
    ])('%s', async (_fact, script, expected) => {
      expect((await inside(script)).output).toBe(expected);
    });

    it('its exit code and its signals come through', async () => {
      expect((await inside('exit 42')).code).toBe(42);
      expect((await inside('kill -9 $$')).code).toBe(137);
    });
  });

  describe('cannot change what is outside:', () => {
    it.each([
      ['by its path', 'echo x > ../outside/kept.txt'],
      ['by deleting', 'rm -f ../outside/kept.txt; test ! -e ../outside/kept.txt'],
      ['by renaming the workspace', 'mv ../root ../moved'],
      ['through a link', 'ln -s ../outside link && echo x > link/kept.txt'],
      ['through a hard link', 'ln ../outside/kept.txt hard'],
      ['through /proc', 'echo x > /proc/self/root/$OLD/outside/kept.txt'],
      ["through its first process's root", 'echo x > /proc/1/root$OUTSIDE/kept.txt'],
      ["through its parent's folder", 'echo x > /proc/$PPID/cwd/../outside/kept.txt'],
      ['by mounting the disk again for writing', 'mount -o remount,rw,bind / || mount -o remount,rw /'],
      ['by mounting over it', 'mount --bind /tmp /etc'],
      ['by a user namespace of its own', 'unshare -Ur true'],
      ['by a mount namespace of its own', 'unshare -m true'],
      ['by a sandbox in the sandbox', 'bwrap --bind / / true'],
      ['by taking a mount away', 'umount -l /proc || umount .git/hooks || umount /run'],
      ['by the kernel settings, which root outside may write', 'echo core > /proc/sys/kernel/core_pattern'],
      ['by the request key', 'test -e /proc/sysrq-trigger && echo h > /proc/sysrq-trigger'],
      ['by its devices', 'ls /dev/sd* /dev/vd* /dev/nvme* /dev/mem /dev/kmsg 2>/dev/null | grep .'],
      ['by a device of its own', 'mknod disk b 254 0'],
      ['by the devices of /sys', 'echo 1 > /sys/kernel/mm/transparent_hugepage/enabled'],
      ['by control groups', 'mkdir /sys/fs/cgroup/x || mkdir /sys/fs/cgroup/unified/x || mkdir /sys/fs/cgroup/pids/x'],
    ])('%s', async (_way, script) => {
      const { code } = await inside(script, { OUTSIDE: join(fixture.base, 'outside') });
      expect(code).not.toBe(0);
      expect(readFileSync(join(fixture.base, 'outside/kept.txt'), 'utf8')).toBe('kept');
    });
  });

  describe('cannot read secrets:', () => {
    it.each([
      ...[
        '.ssh/id_ed25519',
        '.aws/credentials',
        '.netrc',
        '.bash_history',
        '.config/gh/hosts.yml',
        '.tenon/settings.json',
      ].map((name): [string, string] => [name, `cat "$HOME/${name}"`]),
      ['through a link that was there before', 'cat planted/id_ed25519'],
      ['through /proc', 'cat /proc/1/root$HOME/.ssh/id_ed25519'],
      ['by making the cover readable', 'chmod 755 $HOME/.ssh; cat $HOME/.ssh/id_ed25519'],
      ['by moving the cover away', 'mv $HOME/.ssh $HOME/.ssh2; rmdir $HOME/.ssh; cat $HOME/.ssh/id_ed25519'],
      ["of root: the machine's passwords", `cat /etc/shadow && echo ${SECRET}`],
    ])('%s', async (_way, script) => {
      if (!existsSync(join(fixture.root, 'planted')))
        symlinkSync(join(fixture.home, '.ssh'), join(fixture.root, 'planted'));
      const { code, output } = await inside(script);
      expect(code).not.toBe(0);
      expect(output).not.toContain(SECRET);
    });

    it('while the rest of the home can be read', async () => {
      expect((await inside('cat $HOME/notes.txt')).output).toBe('readable');
    });
  });

  describe('cannot change what others obey:', () => {
    it.each([
      ['a hook where hooks are', 'echo x > .git/hooks/pre-commit'],
      ["git's configuration", 'git config core.fsmonitor ./evil'],
      ["git's configuration, put in its place", 'echo x > c && mv c .git/config'],
      ['the repository, moved and made again', 'mv .git .g && git init -q'],
      ['a folder of settings that is there', 'echo x > .claude/settings.json'],
      ['the same, replaced', 'rm -r .claude || mv .claude .c'],
      ['a folder of settings that is not there', 'mkdir -p .vscode && echo x > .vscode/tasks.json'],
      ['the same, by a link in its place', 'ln -sfn /tmp .vscode && test -L .vscode'],
      ['the same, by a folder renamed to it', 'mkdir made && mv -T made .vscode'],
      ['the same, its cover made writable', 'chmod 755 .vscode; echo x > .vscode/tasks.json; test -e real'],
      ['a file that is not there', 'echo "{}" > .mcp.json'],
      ['a file that is not there, renamed to it', 'echo "{}" > m && mv -fT m .mcp.json'],
      ['a file in a folder that is no control file', 'echo x > .cargo/config.toml'],
      ['the same, its folder moved and made again', 'mv .cargo .c && mkdir .cargo && echo x > .cargo/config.toml'],
      ['through a hard link', 'ln .npmrc n && echo x > n'],
      ['through its descriptor', 'exec 3< .npmrc; echo x > /proc/self/fd/3'],
    ])('%s', async (_what, script) => {
      const { code, findings } = await inside(script);
      expect(code).not.toBe(0);
      expect(findings.controlFiles).toEqual([]);
    });

    it('and nothing is left behind', () => {
      expect(
        readdirSync(fixture.root)
          .filter((name) => name.startsWith('.'))
          .toSorted(),
      ).toEqual(['.cargo', '.claude', '.git', '.npmrc']);
      expect(readdirSync(fixture.state)).toEqual(['tmp']);
    });

    it('a repository without a folder for hooks gets none, and keeps none', async () => {
      const other = await makeFixture({
        'root/.git/HEAD': 'ref: refs/heads/main\n',
        'root/.git/config': '',
        'root/.git/objects/': '',
        'root/.git/refs/': '',
      });
      const result = await runInside(
        await openFixture(other),
        other,
        'echo x > .git/hooks/pre-commit; mkdir .git/hooks2; ls .git/hooks',
      );
      expect(result.output).toContain('Permission denied');
      expect(readdirSync(join(other.root, '.git')).toSorted()).toEqual(['HEAD', 'config', 'hooks2', 'objects', 'refs']);
      await other.remove();
    });

    it('a link in the place of settings: neither what it leads to, nor unseen the link', async () => {
      const other = await makeFixture({ 'root/real/settings.json': '{}' });
      symlinkSync('real', join(other.root, '.vscode'));
      const box = await openFixture(other);
      const written = await runInside(box, other, 'echo x > .vscode/settings.json; echo x > real/settings.json');
      expect(readFileSync(join(other.root, 'real/settings.json'), 'utf8')).toBe('{}');
      expect(written.findings.controlFiles).toEqual([]);
      const replaced = await runInside(box, other, 'rm .vscode; mkdir .vscode; echo x > .vscode/tasks.json');
      expect(replaced.findings.controlFiles).toEqual([join(other.root, '.vscode')]);
      await other.remove();
    });

    it.each([
      ['.envrc', 'echo x > .envrc', '.envrc'],
      ['.git/commondir', 'echo /tmp/evil > .git/commondir', '.git/commondir'],
      ['.git/config.worktree', 'echo x > .git/config.worktree', '.git/config.worktree'],
      ['a bare repository', 'echo x > HEAD', 'HEAD'],
      ['another kind of repository', 'mkdir .hg && echo x > .hg/hgrc', '.hg'],
      ['another spelling', 'mkdir .VSCode && echo x > .VSCode/tasks.json', '.VSCode'],
    ])('what no mount can keep away is told: %s', async (_what, script, name) => {
      const { findings } = await inside(script);
      await inside(`rm -rf .envrc .git/commondir .git/config.worktree HEAD .hg .VSCode`);
      expect(findings.controlFiles).toEqual([join(fixture.root, name)]);
    });
  });

  describe('reaches nobody:', () => {
    const servers: Server[] = [];
    let port = 0;

    beforeAll(async () => {
      const tcp = createServer((connection) => connection.destroy()).listen(0, '127.0.0.1');
      const paths = [join(fixture.root, 's.sock'), join(fixture.home, 's.sock'), '\0tenon-sandbox-test'];
      servers.push(tcp, ...paths.map((path) => createServer((connection) => connection.destroy()).listen(path)));
      await Promise.all(servers.map(async (server) => server.listening || once(server, 'listening')));
      const address = tcp.address();
      port = typeof address === 'object' && address !== null ? address.port : 0;
    });
    afterAll(() => servers.forEach((server) => server.close()));

    const ways: readonly (readonly [whom: string, script: string])[] = [
      ["this machine's services", 'exec 3<>/dev/tcp/127.0.0.1/$PORT'],
      ['another machine by its number', 'timeout 5 bash -c "exec 3<>/dev/tcp/1.1.1.1/443"'],
      ['a name', 'getent hosts example.com'],
      ['a Unix socket in the workspace', `perl -MIO::Socket::UNIX -e 'exit !IO::Socket::UNIX->new(Peer => "s.sock")'`],
      [
        'a Unix socket elsewhere',
        `perl -MIO::Socket::UNIX -e 'exit !IO::Socket::UNIX->new(Peer => "$ENV{HOME}/s.sock")'`,
      ],
      [
        'an abstract socket',
        `node -e 'require("net").connect("\\0tenon-sandbox-test").on("connect", () => process.exit(0)).on("error", () => process.exit(1))'`,
      ],
      [
        'by a datagram pair that is connected again',
        `perl -MSocket -e 'socketpair(A, B, AF_UNIX, SOCK_DGRAM, 0) or exit 1'`,
      ],
      ["the virtual machine's host", `perl -MSocket -e 'socket(S, 40, SOCK_STREAM, 0) or exit 1'`],
      ['the network card', `perl -MSocket -e 'socket(S, 17, SOCK_RAW, 0) or exit 1'`],
      ['processes outside, by number', 'kill -0 $OUTER'],
      ['processes outside, by their environment', 'cat /proc/$OUTER/environ'],
      ['processes outside, by looking', 'test $(ls /proc | grep -c "^[0-9]") -gt 12'],
    ];

    it.each(ways)('not %s', async (_whom, script) => {
      expect((await inside(script, { PORT: String(port), OUTER: String(process.pid) })).code).not.toBe(0);
    });

    it('though outside of it the same commands reach them', async () => {
      const env = { PATH: '/usr/bin:/bin', HOME: fixture.home, PORT: String(port), OUTER: String(process.pid) };
      const isLocal = (whom: string): boolean => !/machine|name|card|looking/.test(whom) || whom.startsWith('this');
      for (const [whom, script] of ways.filter(([each]) => isLocal(each))) {
        const run = { argv: ['/bin/bash', '-c', script], cwd: fixture.root, env, descriptors: [] } as const;
        expect(await runPrepared(run), whom).toMatchObject({ code: 0 });
      }
    });

    it('and holds no descriptor of whoever started it', async () => {
      expect((await inside('ls /proc/self/fd | tr "\\n" " "')).output).toBe('0 1 2 3 ');
    });
  });

  const architecture = process.arch === 'x64' || process.arch === 'arm64' ? ARCHITECTURES[process.arch] : undefined;
  describe.skipIf(architecture === undefined)('is refused by the filter:', () => {
    const number = (call: SystemCall): number => architecture?.numbers[call] ?? -1;
    it.each<readonly [SystemCall, string, number]>([
      ['io_uring_setup', '8, my $b = "\\0" x 120', 38],
      ['ptrace', '0, 0, 0, 0', 1],
      ['process_vm_readv', '1, 0, 0, 0, 0, 0', 1],
      ['mount', '0, 0, 0, 0, 0', 1],
      ['open_tree', '-100, my $p = "/", 1', 1],
      ['keyctl', '0, -3, 0', 1],
      ['add_key', '0, 0, 0, 0, 0', 1],
      ['bpf', '0, 0, 0', 1],
      ['unshare', '0x10000000', 1],
      ['clone', '0x10000011, 0, 0, 0, 0', 1],
      ['clone3', '0, 0', 38],
      ['setns', '0, 0', 1],
      ['openat2', '-100, 0, 0, 0', 38],
      ['userfaultfd', '0', 1],
      ['ioctl', '0, 0x5412, my $c = "x"', 1],
      // The kernel reads 32 bits; a filter that compared 64 would miss this one.
      ['ioctl', '0, 0x100005412, my $c = "x"', 1],
      ['fchmodat', '-100, my $f = "a.txt", 04755', 1],
      ['openat', '-100, my $f = "suid", 0102, 04755', 1],
      ['socketpair', '1, 0x80002, 0, my $b = "\\0" x 8', 1],
    ])('%s(%s)', async (call, args, errno) => {
      const { output } = await inside(
        `perl -e 'my $r = syscall(${number(call)}, ${args}); print $r == -1 ? $!+0 : "made"'`,
      );
      expect(output).toBe(String(errno));
    });

    it.runIf(process.arch === 'x64')('a call of the 32-bit ABI ends the program', async () => {
      const { code } = await inside(`perl -e 'syscall(0x40000000 + 39)'`);
      expect(code).toBe(128 + 31);
    });

    it('and no set-user-id program is made', async () => {
      await inside('cp /bin/true suid; chmod u+s suid; chmod 4755 suid; install -m 4755 /bin/true suid2');
      expect(
        readdirSync(fixture.root).filter((name) => (lstatSync(join(fixture.root, name)).mode & 0o4000) !== 0),
      ).toEqual([]);
    });
  });

  describe('leaves nothing running:', () => {
    const survivors = (marker: string): number =>
      readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandLine(pid).includes(marker)).length;

    it('a daemon in a session of its own ends with the command', async () => {
      await inside('(setsid sleep 987.1 &) ; setsid -f sleep 987.1; sleep 0.2');
      await sleep(200);
      expect(survivors('987.1')).toBe(0);
    });

    it('a crowd of processes ends with the sandbox, when its first process is killed', async () => {
      const command = await sandbox.enter({
        argv: ['/bin/bash', '-c', 'for i in {1..150}; do (trap "" TERM; setsid sleep 987.2 &) ; done; sleep 987.2'],
        cwd: fixture.root,
        env: { PATH: '/usr/bin:/bin' },
      });
      const [program, ...args] = command.argv;
      const child = spawn(program, args, {
        cwd: command.cwd,
        stdio: ['ignore', 'ignore', 'ignore', ...command.descriptors],
        detached: true,
      });
      while (survivors('987.2') < 100) await sleep(20);
      child.kill('SIGKILL');
      await once(child, 'close');
      await command.finish();
      for (let round = 0; round < 50 && survivors('987.2') > 0; round += 1) await sleep(20);
      expect(survivors('987.2')).toBe(0);
    });
  });

  it('keeps names for commands that run at the same time until the last one ends', async () => {
    const one = await sandbox.enter({ argv: ['/bin/bash', '-c', 'sleep 0.3'], cwd: fixture.root, env: {} });
    const two = await sandbox.enter({
      argv: ['/bin/bash', '-c', 'sleep 0.4; mkdir -p .vscode; echo x > .vscode/tasks.json'],
      cwd: fixture.root,
      env: {},
    });
    const second = runPrepared(two);
    await runPrepared(one);
    await one.finish();
    expect(existsSync(join(fixture.root, '.vscode'))).toBe(true);
    expect((await second).output).toContain('Permission denied');
    expect(await two.finish()).toEqual({ controlFiles: [] });
    expect(existsSync(join(fixture.root, '.vscode'))).toBe(false);
  });

  const isRoot = process.getuid?.() === 0 && existsSync('/usr/bin/setpriv');
  it.runIf(isRoot)('holds for a user who is not root as well', async () => {
    const other = await makeFixture({
      'root/.git/config': '',
      'outside/kept.txt': 'kept',
      'home/.ssh/id': SECRET,
      'state/tmp/': '',
    });
    const nobody = 65_534;
    spawnSync('chown', ['-R', String(nobody), other.base]);
    const bubblewrap = new Bubblewrap({
      program: '/usr/bin/bwrap',
      canDisableUserNamespaces: true,
      architecture: process.arch,
      userId: nobody,
      stateFolder: other.state,
      privateTemp: join(other.state, 'tmp'),
      node: process.execPath,
    });
    const attempts = [
      'echo x > ../outside/kept.txt',
      'cat $HOME/.ssh/id',
      'echo x > .git/config',
      'mkdir .vscode/x',
      'mv .git .g',
      'mount -o remount,rw,bind /',
      'unshare -Ur true',
      'exec 3<>/dev/tcp/127.0.0.1/1',
    ];
    const script = `id -u; echo x > made; cat made; ${attempts.map((each) => `(${each}) 2>/dev/null && echo "ESCAPED: ${each.replaceAll('$', '')}"`).join('; ')}; true`;
    const command = bubblewrap.enter(
      { argv: ['/bin/bash', '-c', script], cwd: other.root, env: { PATH: '/usr/bin:/bin', HOME: other.home } },
      other.places,
    );
    const asNobody = ['/usr/bin/setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--'];
    const { code, output } = await runPrepared(command, asNobody);
    expect(code).toBe(0);
    expect(output).toBe(`${nobody}\nx\n`);
    expect(readFileSync(join(other.base, 'outside/kept.txt'), 'utf8')).toBe('kept');
    expect(await command.finish()).toEqual({ controlFiles: [] });
    await other.remove();
  });

  it('lets no variable reach what is outside, where it would load a library, and none be seen in a list of processes', async () => {
    const env = { LD_PRELOAD: '/nowhere/evil.so', SECRET_TOKEN: SECRET };
    const command = await sandbox.enter({ argv: ['/bin/bash', '-c', 'echo "$SECRET_TOKEN"'], cwd: fixture.root, env });
    expect(command.env).toEqual({});
    expect(command.argv.join(' ')).not.toContain(SECRET);
    const { output } = await runPrepared(command);
    await command.finish();
    // Said by the loader inside, and by it alone; for a user who is not root a shell comes first.
    expect(output.match(/evil\.so/g)).toHaveLength(process.getuid?.() === 0 ? 1 : 2);
    expect(output).toContain(SECRET);
  });

  it('works in a terminal, to which no descriptors can be passed', async () => {
    const argv = ['/bin/bash', '-c', 'tty > /dev/tty && echo x > ../outside/kept.txt'] as const;
    const command = await sandbox.enter({ argv, cwd: fixture.root, env: {}, terminal: true });
    expect(command.descriptors).toEqual([]);
    const words = command.argv.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
    const { output } = await runPrepared({ ...command, argv: ['/usr/bin/script', '-qec', words, '/dev/null'] });
    expect(output).toMatch(/^\/dev\/(?:pts|console|tty)[^\n]*\r?\n.*Read-only file system/);
    await command.finish();
    expect(readdirSync(fixture.state)).toEqual(['tmp']);
  });

  it('gets no variables that lead to what is closed, and a temp folder that it can write', async () => {
    const { output } = await inside('echo "$SSH_AUTH_SOCK,$DBUS_SESSION_BUS_ADDRESS,$TMPDIR,$KEPT"', {
      SSH_AUTH_SOCK: '/run/a',
      DBUS_SESSION_BUS_ADDRESS: 'unix:/run/b',
      TMPDIR: '/opt',
      KEPT: 'kept',
    });
    expect(output).toBe(',,/tmp,kept\n');
  });
});

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
