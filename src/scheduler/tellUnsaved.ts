import type { FileService } from './fileService.ts';
import type { PermissionPort } from './permissionBroker.ts';

/** Says with each question about a write which of its files have unsaved text in the editor. */
export function tellUnsaved(port: PermissionPort, files: FileService | null): PermissionPort {
  if (files === null) return port;
  return {
    request(request, wire, withdrawn) {
      const writes = request.kind === 'edit' || request.kind === 'delete' || request.kind === 'move';
      const unsaved = writes ? files.unsaved(request.paths) : [];
      return port.request(unsaved.length === 0 ? request : { ...request, unsaved }, wire, withdrawn);
    },
  };
}
