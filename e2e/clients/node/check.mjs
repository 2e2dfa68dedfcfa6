// SPDX-License-Identifier: Apache-2.0
// The official client for JavaScript against a running server: $KUBECONFIG says which. Prints what works.
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import * as k8s from '@kubernetes/client-node';

const namespace = 'node';
const config = new k8s.KubeConfig();
config.loadFromDefault();
const core = config.makeApiClient(k8s.CoreV1Api);
const storage = config.makeApiClient(k8s.StorageV1Api);
const coordination = config.makeApiClient(k8s.CoordinationV1Api);
const objects = k8s.KubernetesObjectApi.makeApiClient(config);
let passed = 0;

function ok(what, condition = true) {
    assert.ok(condition, what);
    passed++;
    console.log('ok', what);
}

async function refused(what, status, call) {
    await assert.rejects(call, (e) => e.code === status, what);
    ok(what);
}

async function until(what, condition) {
    for (let i = 0; i < 600; i++) {
        if (await condition()) {
            return ok(what);
        }
        await pause(100);
    }
    assert.fail(`not in a minute: ${what}`);
}

const configMap = (name, data = {}, labels = {}) => ({ namespace, body: { metadata: { name, labels }, data } });

/** An informer sees what comes, changes and goes; a watch is followed from where a list was. */
async function informed() {
    const seen = [];
    const list = () => core.listNamespacedConfigMap({ namespace, labelSelector: 'seen=yes' });
    const informer = k8s.makeInformer(
        config, `/api/v1/namespaces/${namespace}/configmaps`, list, 'seen=yes');
    informer.on('add', (each) => seen.push(`add ${each.metadata.name}`));
    informer.on('update', (each) => seen.push(`update ${each.metadata.name}`));
    informer.on('delete', (each) => seen.push(`delete ${each.metadata.name}`));
    await core.createNamespacedConfigMap(configMap('first', {}, { seen: 'yes' }));
    await informer.start();
    await until('an informer shows what is there', () => seen.includes('add first'));
    await core.createNamespacedConfigMap(configMap('second', {}, { seen: 'yes' }));
    await until('an informer shows what comes', () => seen.includes('add second'));
    await core.replaceNamespacedConfigMap({
        name: 'second', namespace, body: { metadata: { name: 'second', labels: { seen: 'yes' } }, data: { a: '1' } } });
    await until('an informer shows what changes', () => seen.includes('update second'));
    await core.deleteNamespacedConfigMap({ name: 'second', namespace });
    await until('an informer shows what goes', () => seen.includes('delete second'));
    ok('its cache is the server\'s', informer.list().map((each) => each.metadata.name).join() === 'first');
    await informer.stop();
}

async function pod(directory) {
    await core.createPersistentVolume({ body: {
        metadata: { name: 'node' },
        spec: {
            capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: 'by-node',
            persistentVolumeReclaimPolicy: 'Retain', hostPath: { path: directory } } } });
    await core.createNamespacedPersistentVolumeClaim({ namespace, body: {
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'by-node', resources: { requests: { storage: '1Gi' } } } } });
    await core.createNamespacedPod({ namespace, body: {
        metadata: { name: 'web' },
        spec: {
            containers: [{ name: 'main', image: 'none', volumeMounts: [{ name: 'data', mountPath: '/data' }] }],
            volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] } } });
    await until('a pod runs', async () =>
        (await core.readNamespacedPod({ name: 'web', namespace })).status.phase === 'Running');
    const status = (await core.readNamespacedPod({ name: 'web', namespace })).status;
    ok('it started', status.startTime instanceof Date && status.containerStatuses[0].ready);
    await core.deleteNamespacedPod({ name: 'web', namespace });
}

async function patches() {
    await core.createNamespacedConfigMap(configMap('patched', { a: '1' }));
    const patch = (body, type) => core.patchNamespacedConfigMap(
        { name: 'patched', namespace, body }, k8s.setHeaderOptions('Content-Type', type));
    await patch({ data: { b: '2' } }, k8s.PatchStrategy.StrategicMergePatch);
    await patch({ data: { c: '3', a: null } }, k8s.PatchStrategy.MergePatch);
    await patch([{ op: 'remove', path: '/data/b' }], k8s.PatchStrategy.JsonPatch);
    const read = await core.readNamespacedConfigMap({ name: 'patched', namespace });
    ok('three kinds of patches', JSON.stringify(read.data) === '{"c":"3"}');
    await refused('a stale update', 409, async () => {
        await patch({ data: { d: '4' } }, k8s.PatchStrategy.MergePatch);
        await core.replaceNamespacedConfigMap({ name: 'patched', namespace, body: read });
    });
}

async function lists() {
    for (let i = 0; i < 5; i++) {
        await core.createNamespacedConfigMap(configMap(`page-${i}`, {}, { page: `${i % 2}` }));
    }
    const names = new Set();
    let _continue;
    do {
        const page = await core.listNamespacedConfigMap({ namespace, limit: 2, labelSelector: 'page', _continue });
        page.items.forEach((each) => names.add(each.metadata.name));
        _continue = page.metadata._continue;
    } while (_continue);
    ok('pages', names.size === 5);
    const one = await core.listNamespacedConfigMap({ namespace, fieldSelector: 'metadata.name=page-3' });
    ok('field selectors', one.items.length === 1);
}

/** Reading needs all fields that the client's types demand. */
async function typed() {
    ok('nodes', (await core.listNode()).items[0].status.nodeInfo.machineID !== undefined);
    ok('volumes', (await core.listPersistentVolume()).items.length > 0);
    ok('claims', (await core.listPersistentVolumeClaimForAllNamespaces()).items.length > 0);
    ok('classes', (await storage.listStorageClass()).items !== undefined);
    ok('events', (await core.listEventForAllNamespaces()).items !== undefined);
    const now = new k8s.V1MicroTime();
    await coordination.createNamespacedLease({ namespace, body: {
        metadata: { name: 'leader' }, spec: { holderIdentity: 'node', acquireTime: now, renewTime: now } } });
    const lease = await coordination.readNamespacedLease({ name: 'leader', namespace });
    ok('a lease keeps its time', new Date(lease.spec.renewTime).getTime() === now.getTime());
}

/** The client that learns kinds from discovery. */
async function generic() {
    await objects.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'generic', namespace }, data: { a: '1' } });
    const read = await objects.read({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'generic', namespace } });
    ok('objects of any kind', read.data.a === '1');
    const wanted = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'applied', namespace }, data: { a: '1' } };
    const apply = (object, manager) => objects.patch(
        object, undefined, undefined, manager, false, k8s.PatchStrategy.ServerSideApply);
    const applied = await apply(wanted, 'node');
    ok('server-side apply', applied.metadata.managedFields[0].operation === 'Apply');
    await refused('a conflict', 409, () => apply({ ...wanted, data: { a: '2' } }, 'other'));
    await objects.create({
        apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'stored', namespace },
        spec: {
            selector: { matchLabels: { app: 'a' } },
            template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'main', image: 'none' }] } } } });
    const apps = config.makeApiClient(k8s.AppsV1Api);
    ok('a deployment is stored', (await apps.listNamespacedDeployment({ namespace })).items[0].spec.replicas === 1);
}

await core.createNamespace({ body: { metadata: { name: namespace } } });
await refused('a namespace that is there', 409, () => core.createNamespace({ body: { metadata: { name: namespace } } }));
await informed();
await pod(process.argv[2]);
await patches();
await lists();
await typed();
await generic();
await core.deleteNamespace({ name: namespace });
console.log(`${passed} passed, 0 failed`);
process.exit(0);
