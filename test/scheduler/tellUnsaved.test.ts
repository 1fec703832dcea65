import assert from 'node:assert/strict';
import { createNodeFs } from '../../src/cli/nodeFs.ts';
import type { PermissionPort } from '../../src/scheduler/permissionBroker.ts';
import { tellUnsaved } from '../../src/scheduler/tellUnsaved.ts';
import type { PermissionRequest } from '../../src/shared/permission.ts';
import type { ToolKind } from '../../src/shared/toolCall.ts';

describe('a question about a write', () => {
  const asked: PermissionRequest[] = [];
  const port: PermissionPort = {
    async request(request) {
      asked.push(request);
      return { outcome: 'cancelled' };
    },
  };
  const files = { ...createNodeFs(), unsaved: (paths: readonly string[]) => paths.filter((one) => one.endsWith('b')) };
  const ask = async (kind: ToolKind, paths: readonly string[], to = tellUnsaved(port, files)) => {
    const request = { toolCallId: 't', title: 't', kind, options: [], content: [], paths, takesMessage: false };
    await to.request(request, {}, new AbortController().signal);
    return asked.pop();
  };

  it('names the files whose editor holds unsaved text', async () => {
    assert.deepEqual((await ask('edit', ['/a', '/b']))?.unsaved, ['/b']);
    for (const kind of ['delete', 'move'] as const) assert.deepEqual((await ask(kind, ['/b']))?.unsaved, ['/b']);
  });

  it('names none where there is none, nothing is written, or there are no editors', async () => {
    for (const request of [
      await ask('edit', ['/a']),
      await ask('read', ['/b']),
      await ask('edit', ['/b'], tellUnsaved(port, null)),
    ])
      assert.ok(request !== undefined && !('unsaved' in request));
  });
});
