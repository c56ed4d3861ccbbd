import { expect, it } from 'vitest';
import { placeInTemplate } from './uri-template.js';

it('knows the text that is to come, and nothing for another address', () => {
  expect(placeInTemplate('repo://{owner}/{name}', 're')).toEqual({ kind: 'text', done: 'repo://' });
  expect(placeInTemplate('repo://{owner}/{name}', '')).toEqual({ kind: 'text', done: 'repo://' });
  expect(placeInTemplate('repo://{owner}/{name}', 'file:')).toBeUndefined();
});

it('knows the name whose value is typed, and those before', () => {
  const place = placeInTemplate('repo://{owner}/{name}/readme', 'repo://a%20b/te');
  expect(place).toMatchObject({ kind: 'value', name: 'name', typed: 'te', before: { owner: 'a b' }, isLast: true });
  expect(place?.kind === 'value' && place.complete('ten on')).toBe('repo://a%20b/ten%20on/readme');
  const first = placeInTemplate('repo://{owner}/{name}', 'repo://a');
  expect(first).toMatchObject({ name: 'owner', typed: 'a', before: {}, isLast: false });
  expect(first?.kind === 'value' && first.complete('acme')).toBe('repo://acme/');
});

it('leaves slashes where the template does', () => {
  const place = placeInTemplate('file:///{+path}', 'file:///src/');
  expect(place).toMatchObject({ name: 'path', typed: 'src/', isLast: true });
  expect(place?.kind === 'value' && place.complete('src/a b.ts')).toBe('file:///src/a%20b.ts');
});
