// SPDX-License-Identifier: Apache-2.0
// A CSI driver on npm's gRPC, which shares no code with Mooring: volumes are directories that are bind-mounted, without a stage.
//   node driver.mjs NAME SOCKET DIRECTORY PROTOS
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import grpc from '@grpc/grpc-js';
import loader from '@grpc/proto-loader';

const [name, socket, directory, protos] = process.argv.slice(2);
const csi = grpc.loadPackageDefinition(
  loader.loadSync('csi.proto', { includeDirs: [protos], keepCase: true, longs: String, enums: String, defaults: true, oneofs: true }),
).csi.v1;
fs.mkdirSync(directory, { recursive: true });

class Failed extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}
const { INVALID_ARGUMENT, NOT_FOUND, ALREADY_EXISTS, INTERNAL } = grpc.status;
const file = path.join(directory, 'volumes.json');
const volumes = () => (fs.existsSync(file) ? JSON.parse(fs.readFileSync(file)) : {});
const keep = (all) => {
  fs.writeFileSync(`${file}.new`, JSON.stringify(all));
  fs.renameSync(`${file}.new`, file);
};
const need = (request, ...fields) => {
  for (const field of fields) if (!request[field] || request[field].length === 0) throw new Failed(INVALID_ARGUMENT, `${field} is missing`);
};
const data = (id) => path.join(directory, id);
const isMounted = (at) => fs.readFileSync('/proc/self/mountinfo', 'utf8').split('\n').some((line) => line.split(' ')[4] === at);

const identity = {
  GetPluginInfo: () => ({ name, vendor_version: '1' }),
  GetPluginCapabilities: () => ({ capabilities: [{ service: { type: 'CONTROLLER_SERVICE' } }] }),
  Probe: () => ({ ready: { value: true } }),
};

const controller = {
  ControllerGetCapabilities: () => ({ capabilities: ['CREATE_DELETE_VOLUME', 'EXPAND_VOLUME'].map((type) => ({ rpc: { type } })) }),
  CreateVolume(request) {
    need(request, 'name', 'volume_capabilities');
    const all = volumes();
    const id = `npm-${request.name}`;
    const size = Number(request.capacity_range?.required_bytes || 0) || 1 << 20;
    if (all[id] && all[id].size < size) throw new Failed(ALREADY_EXISTS, `volume ${request.name} exists and is smaller`);
    fs.mkdirSync(data(id), { recursive: true });
    all[id] ??= { size };
    keep(all);
    return { volume: { volume_id: id, capacity_bytes: String(all[id].size), volume_context: { 'made-by': 'npm' } } };
  },
  DeleteVolume(request) {
    need(request, 'volume_id');
    const all = volumes();
    delete all[request.volume_id];
    if (/^npm-[\w-]+$/.test(request.volume_id)) fs.rmSync(data(request.volume_id), { recursive: true, force: true });
    keep(all);
  },
  ControllerExpandVolume(request) {
    need(request, 'volume_id', 'capacity_range');
    const all = volumes();
    if (!all[request.volume_id]) throw new Failed(NOT_FOUND, `there is no volume ${request.volume_id}`);
    all[request.volume_id].size = Math.max(all[request.volume_id].size, Number(request.capacity_range.required_bytes));
    keep(all);
    return { capacity_bytes: String(all[request.volume_id].size), node_expansion_required: false };
  },
};

const node = {
  NodeGetInfo: () => ({ node_id: 'npm-node' }),
  NodeGetCapabilities: () => ({ capabilities: [] }),
  NodePublishVolume(request) {
    need(request, 'volume_id', 'target_path', 'volume_capability');
    if (!volumes()[request.volume_id]) throw new Failed(NOT_FOUND, `there is no volume ${request.volume_id}`);
    fs.mkdirSync(request.target_path, { recursive: true });
    if (!isMounted(request.target_path)) execFileSync('mount', ['--bind', data(request.volume_id), request.target_path]);
  },
  NodeUnpublishVolume(request) {
    need(request, 'volume_id', 'target_path');
    while (isMounted(request.target_path)) execFileSync('umount', [request.target_path]);
    if (fs.existsSync(request.target_path)) fs.rmdirSync(request.target_path);
  },
};

const served = (service) =>
  Object.fromEntries(
    Object.entries(service).map(([rpc, work]) => [
      rpc,
      (call, answer) => {
        try {
          answer(null, work(call.request) ?? {});
        } catch (failed) {
          answer({ code: failed instanceof Failed ? failed.code : INTERNAL, message: failed.message });
        }
        fs.appendFileSync(path.join(directory, 'calls'), `${rpc}\n`);
      },
    ]),
  );

fs.rmSync(socket, { force: true });
process.umask(0o077);
const server = new grpc.Server();
server.addService(csi.Identity.service, served(identity));
server.addService(csi.Controller.service, served(controller));
server.addService(csi.Node.service, served(node));
server.bindAsync(`unix:${socket}`, grpc.ServerCredentials.createInsecure(), (failed) => {
  if (failed) throw failed;
  console.log(`${name} listens on ${socket}`);
});
process.on('SIGTERM', () => server.forceShutdown());
