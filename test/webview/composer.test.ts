import assert from 'node:assert/strict';
import type { AgentOffers, FileChoice } from '../../src/shared/messages.ts';
import type { TaskImage } from '../../src/shared/task.ts';
import { takeFiles } from '../../webview/composer/takeFiles.ts';
import { savedOf } from '../../webview/state.ts';
import { HEADER, stamp } from '../fakes/events.ts';
import { IDLE, openPage, type TestPage } from './dom.ts';

const OFFERS: AgentOffers = {
  images: true,
  commands: [
    { name: 'review', description: 'Review the changes', hint: '[what]' },
    { name: 'compact', description: '' },
  ],
  models: [
    { value: 'default', label: 'Default' },
    { value: 'opus', label: 'Opus', description: 'The strongest' },
  ],
};
const FILES: readonly FileChoice[] = [
  { path: 'src/a.ts', lines: { from: 3, to: 5 }, open: true },
  { path: 'src/a.ts', lines: null, open: true },
  { path: 'docs/my notes.md', lines: null, open: false },
];
const IMAGE: TaskImage = { name: 'shot.png', mimeType: 'image/png', data: 'AAAA' };

const box = (page: TestPage): HTMLElement => page.find('textarea');
const key = (page: TestPage, name: string, init: KeyboardEventInit = {}): boolean =>
  box(page).dispatchEvent(new window.KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true, ...init }));
/** Types the whole text, with the cursor at its end. */
const type = (page: TestPage, text: string): void => {
  Object.assign(box(page), { value: text, selectionStart: text.length, selectionEnd: text.length });
  box(page).dispatchEvent(new window.Event('input', { bubbles: true }));
};
const rows = (page: TestPage): (string | null)[] => page.all('[role=option]').map((row) => row.textContent);
const chosen = (page: TestPage): string | null => page.find('[role=option][aria-selected=true]').textContent;

describe('a mention', () => {
  it('asks for files as it is typed, and is completed by keyboard alone', () => {
    const page = openPage();
    page.show({});
    type(page, 'Fix @');
    type(page, 'Fix @n');
    assert.deepEqual(
      page.posted.filter((message) => message.type === 'complete'),
      [
        { type: 'complete', query: '', folder: null, anew: true },
        { type: 'complete', query: 'n', folder: null, anew: false },
      ],
    );
    assert.deepEqual(rows(page), []);
    page.hear({ type: 'files', query: 'n', files: FILES });
    assert.deepEqual(rows(page), ['a.tsselected lines 3-5', 'a.tssrc open in an editor', 'my notes.mddocs']);
    assert.equal(chosen(page), 'a.tsselected lines 3-5');
    const list = page.find('[role=listbox]', 'Files');
    assert.equal(box(page).getAttribute('aria-controls'), list.id);
    key(page, 'ArrowUp');
    assert.equal(chosen(page), 'my notes.mddocs');
    assert.equal(box(page).getAttribute('aria-activedescendant'), page.find('[aria-selected=true]').id);
    assert.equal(key(page, 'Enter'), false, 'the key is the menu’s, and adds no line');
    assert.equal(page.state().draft, 'Fix @"docs/my notes.md" ');
    assert.deepEqual(page.all('[role=listbox]'), []);
  });

  it('takes lines behind it, and the lines that are selected', () => {
    const page = openPage();
    page.show({});
    type(page, '@');
    page.hear({ type: 'files', query: '', files: FILES });
    key(page, 'Tab');
    assert.equal(page.state().draft, '@src/a.ts:3-5 ');
    type(page, '@');
    key(page, 'ArrowDown');
    key(page, 'Enter');
    assert.equal(page.state().draft, '@src/a.ts ');
    type(page, '@src/a.ts :');
    assert.equal(page.state().draft, '@src/a.ts:');
  });

  it('is left alone by Escape until another word is begun, and Enter is a line again', () => {
    const page = openPage();
    page.show({});
    type(page, '@a');
    page.hear({ type: 'files', query: 'a', files: FILES });
    key(page, 'Escape');
    assert.deepEqual(page.all('[role=listbox]'), []);
    assert.equal(key(page, 'Enter'), true);
    type(page, '@ab');
    assert.deepEqual(page.all('[role=listbox]'), []);
    type(page, '@ab @');
    assert.equal(page.all('[role=listbox]').length, 1);
    key(page, 'Enter', { ctrlKey: true });
    assert.equal(page.posted.at(-1)?.type, 'run', 'Ctrl+Enter runs, whatever is open');
  });

  it('comes from other places of the window, at the cursor', () => {
    const page = openPage({ draft: 'Explain' });
    page.show({});
    page.hear({ type: 'compose', text: '@src/a.ts:1-9 ', folder: null });
    assert.equal(page.state().draft, 'Explain @src/a.ts:1-9 ');
    assert.equal(document.activeElement, box(page));
  });

  it('chooses the folder that it lies in, as long as that is open', () => {
    const page = openPage();
    const folders = [
      { name: 'a', path: '/a' },
      { name: 'b', path: '/b' },
    ];
    page.show({ folders });
    page.hear({ type: 'compose', text: '@src/b.ts ', folder: '/b' });
    assert.equal(Reflect.get(page.find('select[aria-label=Folder]'), 'value'), '/b');
    key(page, 'Enter', { ctrlKey: true });
    const run = () => page.posted.findLast((message) => message.type === 'run');
    assert.equal(run()?.options.folder, '/b');
    page.show({ folders: folders.slice(0, 1) });
    key(page, 'Enter', { ctrlKey: true });
    assert.equal(run()?.options.folder, null);
  });
});

describe('a slash command', () => {
  it('is completed from what the executor told, with what it does', () => {
    const page = openPage();
    page.show({ offers: { claude: OFFERS } });
    type(page, '/');
    assert.deepEqual(rows(page), ['/review [what]Review the changes', '/compact']);
    assert.ok(page.find('[role=listbox]', 'Commands of the executor'));
    type(page, '/co');
    assert.deepEqual(rows(page), ['/compact']);
    page.find('[role=option]').click();
    assert.equal(page.state().draft, '/compact ');
    type(page, 'a /');
    assert.deepEqual(page.all('[role=listbox]'), []);
  });

  it('says that the commands come with the agent, where it has told none', () => {
    const page = openPage();
    page.show({});
    type(page, '/');
    assert.match(page.find('.menu').textContent ?? '', /once it has started/);
    assert.equal(page.find('.menu').getAttribute('role'), 'status', 'a list without a choice is none');
    type(page, '/x');
    assert.deepEqual(page.all('[role=listbox]'), []);
  });
});

describe('earlier tasks', () => {
  it('come by the key up at the start, and the draft by the key down', () => {
    const page = openPage({ draft: 'mine' });
    page.show({});
    box(page).dispatchEvent(new window.Event('focus'));
    assert.deepEqual(page.posted, [{ type: 'askTasks' }]);
    page.hear({ type: 'tasks', tasks: ['newest\nwith two lines', 'older @a.ts'] });
    Object.assign(box(page), { selectionStart: 2, selectionEnd: 2 });
    assert.equal(key(page, 'ArrowUp'), true, 'the cursor moves in the text first');
    Object.assign(box(page), { selectionStart: 0, selectionEnd: 0 });
    assert.equal(key(page, 'ArrowUp'), false);
    assert.equal(page.state().draft, 'newest\nwith two lines');
    assert.equal(key(page, 'ArrowUp'), true, 'from the last line to the first');
    Object.assign(box(page), { selectionStart: 3, selectionEnd: 3 });
    key(page, 'ArrowUp');
    assert.equal(page.state().draft, 'older @a.ts');
    assert.deepEqual(page.all('[role=listbox]'), [], 'no menu comes between');
    key(page, 'ArrowUp');
    assert.equal(page.state().draft, 'older @a.ts');
    key(page, 'ArrowDown');
    key(page, 'ArrowDown');
    assert.equal(page.state().draft, 'mine');
  });
});

describe('an image', () => {
  const taken = async (files: readonly File[], offers: AgentOffers | null, count = 0) => {
    const page = openPage();
    page.show({});
    const agent = IDLE.agents[0] ?? null;
    const dispatch = page.dispatch;
    const posted: string[] = [];
    await takeFiles(files, {
      agent,
      offers,
      count,
      page: { dispatch, post: (message) => posted.push(JSON.stringify(message)) },
    });
    return { posted, said: page.all('[role=alert]').map(({ textContent }) => textContent) };
  };
  const png = (bytes: number, name = 'a.png', mime = 'image/png') =>
    new window.File([new Uint8Array(bytes)], name, { type: mime });

  it('is given to the host as base64', async () => {
    const { posted, said } = await taken([png(3)], OFFERS);
    assert.deepEqual(posted, [
      JSON.stringify({ type: 'addImage', image: { name: 'a.png', mimeType: 'image/png', data: 'AAAA' } }),
    ]);
    assert.deepEqual(said, []);
  });

  it('that is not taken is said, with the reason', async () => {
    const none = await taken([png(3)], { ...OFFERS, images: false });
    assert.deepEqual([none.posted, none.said], [[], ['Claude takes no images: choose another executor for them.']]);
    const big = await taken([png(6 * 1024 * 1024)], OFFERS);
    assert.deepEqual([big.posted, big.said], [[], ['a.png has 6 MB; an image may have 5 MB.']]);
    const other = await taken([png(3, 'a.txt', 'text/plain'), png(3, 'b.bmp', 'image/bmp')], OFFERS);
    assert.deepEqual(other.posted, []);
    assert.match(other.said[0] ?? '', /a\.txt is no image\. .*b\.bmp is of a kind/);
    const many = await taken([png(3), png(3)], OFFERS, 7);
    assert.deepEqual([many.posted.length, many.said], [1, ['At most 8 images go with a task.']]);
  });

  it('is shown, can be taken back by its button, and is said to be left out by an executor that takes none', () => {
    const page = openPage();
    page.show({ offers: { claude: OFFERS } });
    page.hear({ type: 'images', images: [IMAGE] });
    assert.equal(page.find('img').getAttribute('alt'), 'shot.png');
    page.find('button', 'Remove shot.png').click();
    assert.deepEqual(page.posted, [{ type: 'removeImage', index: 0 }]);
    page.show({ offers: { claude: { ...OFFERS, images: false } } });
    assert.match(page.find('[role=alert]').textContent ?? '', /Claude takes no images/);
  });
});

describe('the chips', () => {
  const change = (select: HTMLElement, value: string) => {
    Object.assign(select, { value });
    select.dispatchEvent(new window.Event('change', { bubbles: true }));
  };

  it('offer a model only where the agent tells them, and take it for this agent alone', () => {
    const page = openPage({ draft: 'x' });
    page.show({ offers: { claude: OFFERS } });
    assert.deepEqual(page.all('select', 'Model of Gemini'), []);
    change(page.find('select', 'Model of Claude'), 'opus');
    assert.deepEqual(page.warmed.at(-1)?.models, { claude: 'opus' });
    change(page.find('select', 'Model of Claude'), '');
    assert.deepEqual(page.warmed.at(-1)?.models, {});
  });

  it('offer the folder where several are open', () => {
    const page = openPage({ draft: 'x' });
    page.show({});
    assert.deepEqual(page.all('select', 'Folder'), []);
    const folders = ['a', 'b'].map((name) => ({ name, path: `/${name}` }));
    page.show({ folders });
    change(page.find('select', 'Folder'), '/b');
    assert.equal(page.warmed.at(-1)?.folder, '/b');
  });

  it('say which agents are not installed', () => {
    const page = openPage();
    const agents = IDLE.agents.map((agent) => ({ ...agent, installed: agent.id !== 'gemini' }));
    page.show({ agents });
    assert.ok(page.find('select', 'Executor').textContent?.includes('Gemini works (not installed)'));
  });

  it('explain the permission mode, and how far Claude’s reaches', () => {
    const page = openPage({ options: { permissionMode: 'edits' } });
    page.show({});
    const hint = () => page.find(`#${page.find('select', 'Permissions').getAttribute('aria-describedby')}`).textContent;
    assert.match(hint() ?? '', /with Claude neither do mkdir, mv, rm and sed -i/);
    change(page.find('select', 'Executor'), 'gemini');
    assert.doesNotMatch(hint() ?? '', /Claude/);
  });

  it('follow a setting that was changed after a choice', () => {
    const page = openPage({ options: { executor: 'gemini', rounds: 5 } });
    page.show({});
    page.show({ defaults: { ...IDLE.defaults, executor: 'claude', reviewer: 'claude' } });
    assert.deepEqual(
      page.state().options,
      { executor: 'gemini', rounds: 5 },
      'the executor’s own setting is as it was',
    );
    page.show({ defaults: { ...IDLE.defaults, executor: 'codex' } });
    assert.deepEqual(page.state().options, { rounds: 5 });
  });

  it('follow one that was changed while the view was hidden, models too', () => {
    const page = openPage();
    page.show({});
    page.dispatch({ type: 'option', options: { executor: 'gemini', rounds: 5, models: { gemini: 'old' } } });
    const again = openPage(savedOf(page.state()));
    again.show({ defaults: { ...IDLE.defaults, executor: 'codex', models: { gemini: 'new' } } });
    assert.deepEqual(again.state().options, { rounds: 5 });
  });
});

describe('who receives what', () => {
  it('stands in the empty page until it is understood', () => {
    const page = openPage();
    page.show({ consent: { told: false, asked: null } });
    page.find('button', 'Understood').click();
    assert.deepEqual(page.posted, [{ type: 'consent', known: true }]);
    page.show({});
    assert.deepEqual(page.all('button', 'Understood'), []);
    assert.match(page.text(), /Claude sends .* to Anthropic/, 'it can still be read');
  });

  it('has the focus while it is asked for, and gives it back to the task', () => {
    const page = openPage({ draft: 'Fix it' });
    page.show({});
    box(page).focus();
    page.show({ consent: { told: false, asked: { executor: 'claude', reviewer: 'gemini' } } });
    assert.equal(document.activeElement, page.find('.consent button', 'Understood, Run'));
    page.find('.consent button', 'Not Now').focus();
    page.show({ consent: { told: false, asked: null } });
    assert.equal(document.activeElement, box(page));
  });

  it('is asked before a first run, of the agents of that run, with the focus on its answer', () => {
    const page = openPage({ draft: 'Fix it' });
    page.show({ consent: { told: false, asked: { executor: 'claude', reviewer: 'demo-reviewer' } } });
    const card = page.find('section', 'Who receives what');
    assert.match(card.textContent ?? '', /Claude sends .* to Anthropic.*Demo Reviewer is a part of this extension/);
    assert.equal(document.activeElement?.textContent, 'Understood, Run');
    page.find('button', 'Not Now').click();
    page.find('button', 'Understood, Run').click();
    assert.deepEqual(page.posted, [
      { type: 'consent', known: false },
      { type: 'consent', known: true },
    ]);
  });
});

describe('the task of a run', () => {
  it('says what was given along with it', () => {
    const page = openPage();
    const attached = [
      { type: 'file', path: 'src/a.ts', lines: { from: 2, to: 3 } },
      { type: 'image', name: 'shot.png', mimeType: 'image/png', bytes: 3 },
    ] as const;
    page.show({ phase: 'running' }, stamp([{ type: 'run.started', run: { ...HEADER, attached } }]));
    assert.match(page.text(), /Given along: src\/a\.ts:2-3, shot\.png/);
  });
});
