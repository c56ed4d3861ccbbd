import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { followOutput, NOTHING_TO_FOLLOW } from '../../../follow-output.js';
import { OutputFeed } from './output-feed.js';

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'feed-')));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function follower(place: string): { readonly code: Promise<number>; readonly text: () => string } {
  const out = new PassThrough();
  let text = '';
  out.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  return { code: followOutput(place, out), text: () => text };
}

describe('an output that is followed', () => {
  it('is shown from its first byte on, and ends with the code of the command', async () => {
    const feed = new OutputFeed();
    feed.write(Buffer.from('early '));
    const { code, text } = follower(await feed.open(folder));
    await feed.connected;
    feed.write(Buffer.from('late'));
    feed.end('', 7);
    expect(await code).toBe(7);
    expect(text()).toBe('early late');
  });

  it('cannot say its own end', async () => {
    const feed = new OutputFeed();
    const { code, text } = follower(await feed.open(folder));
    await feed.connected;
    feed.write(Buffer.from('a\0\x05b'));
    await sleep(50);
    feed.write(Buffer.from('c'));
    feed.end('[It was stopped.]', 143);
    expect(await code).toBe(143);
    expect(text()).toBe('abc\n[It was stopped.]\n');
  });

  it('is private, and leaves no name behind once it is followed', async () => {
    const feed = new OutputFeed();
    const place = await feed.open(folder);
    expect((await stat(path.dirname(place))).mode & 0o077).toBe(0);
    void follower(place);
    await feed.connected;
    expect(await readdir(folder)).toEqual([]);
    feed.close();
  });

  it('has lost its name before anything of it is seen', async () => {
    const feed = new OutputFeed();
    const text = Buffer.alloc(100, 'x');
    for (let sent = 0; sent < 50_000; sent += 1) feed.write(text);
    const place = await feed.open(folder);
    const script = `const { existsSync } = require('fs');
      const socket = require('net').connect(${JSON.stringify(place)});
      socket.once('data', () => { console.log(existsSync(${JSON.stringify(place)})); process.exit(); });`;
    const viewer = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [told] = await once(viewer.stdout, 'data');
    feed.close();
    expect(String(told)).toBe('false\n');
  });

  it('tells that who followed it went away, and has no second one', async () => {
    const feed = new OutputFeed();
    const place = await feed.open(folder);
    const out = new PassThrough();
    const code = followOutput(place, out);
    await feed.connected;
    expect(await followOutput(place, new PassThrough())).toBe(NOTHING_TO_FOLLOW);
    out.destroy(new Error('gone'));
    await feed.gone;
    expect(await code).not.toBe(0);
  });

  it('leaves out what is too much for a terminal that does not keep up, and says how much', async () => {
    const feed = new OutputFeed();
    const megabyte = 1024 * 1024;
    for (let i = 0; i < 20; i += 1) feed.write(Buffer.alloc(megabyte, 'x'));
    const { code, text } = follower(await feed.open(folder));
    await feed.connected;
    await sleep(200);
    feed.write(Buffer.from('last'));
    feed.end('', 0);
    expect(await code).toBe(0);
    const kept = 'x'.repeat(16 * megabyte);
    expect(text().startsWith(kept)).toBe(true);
    expect(text().slice(kept.length)).toBe(
      `\n[… ${4 * megabyte} bytes are not shown here …]\nlast`.replaceAll('…', '\u00e2\u0080\u00a6'),
    );
  });

  it('that is not there is told at once, and the name of one whose maker was killed is removed', async () => {
    expect(await followOutput(path.join(folder, 'nothing'), new PassThrough())).toBe(NOTHING_TO_FOLLOW);
    await writeFile(path.join(folder, 'file'), 'kept');
    expect(await followOutput(path.join(folder, 'file'), new PassThrough())).toBe(NOTHING_TO_FOLLOW);
    expect(await readFile(path.join(folder, 'file'), 'utf8')).toBe('kept');
    const place = path.join(folder, 'tenon-x', 'out');
    await mkdir(path.dirname(place));
    const script = `require('net').createServer().listen(${JSON.stringify(place)}, () => console.log('there'))`;
    const maker = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
    await once(maker.stdout, 'data');
    maker.kill('SIGKILL');
    await once(maker, 'close');
    expect(await followOutput(place, new PassThrough())).toBe(NOTHING_TO_FOLLOW);
    expect(await readdir(folder)).toEqual(['file']);
  });
});
