#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Python's client, as Debian packages it, against a running server: $KUBECONFIG says which. Prints what works."""

import datetime
import json
import sys
import threading

from kubernetes import client, config, dynamic, watch
from kubernetes.client.rest import ApiException
from kubernetes.leaderelection import electionconfig, leaderelection
from kubernetes.leaderelection.resourcelock.configmaplock import ConfigMapLock
from kubernetes.stream import stream

NAMESPACE = "python"
config.load_kube_config()
core, storage, coordination = client.CoreV1Api(), client.StorageV1Api(), client.CoordinationV1Api()
passed = 0


def ok(what, condition=True):
    global passed
    if not condition:
        sys.exit(f"failed: {what}")
    passed += 1
    print("ok", what)


def refused(what, status, call):
    try:
        call()
    except ApiException as e:
        return ok(what, e.status == status)
    sys.exit(f"not refused: {what}")


def meta(name, **more):
    return client.V1ObjectMeta(name=name, **more)


def config_map(name, labels=None, data=None):
    return client.V1ConfigMap(metadata=meta(name, labels=labels), data=data or {})


def typed_lists():
    """Reading fails if one object lacks a field that OpenAPI calls required."""
    lists = {
        "nodes": core.list_node,
        "namespaces": core.list_namespace,
        "volumes": core.list_persistent_volume,
        "claims": core.list_persistent_volume_claim_for_all_namespaces,
        "pods": core.list_pod_for_all_namespaces,
        "events": core.list_event_for_all_namespaces,
        "secrets": core.list_secret_for_all_namespaces,
        "config maps": core.list_config_map_for_all_namespaces,
        "service accounts": core.list_service_account_for_all_namespaces,
        "classes": storage.list_storage_class,
        "attachments": storage.list_volume_attachment,
        "CSI nodes": storage.list_csi_node,
        "CSI drivers": storage.list_csi_driver,
        "leases": coordination.list_lease_for_all_namespaces,
    }
    for what, call in lists.items():
        ok(f"list {what}", call().items is not None)


def nodes():
    status = core.list_node().items[0].status
    ok("a node has a system", status.node_info.machine_id is not None and status.node_info.kubelet_version)
    ok("a node has capacity", {"cpu", "memory", "pods"} <= set(status.capacity) & set(status.allocatable))
    ok("a node has addresses", {"InternalIP", "Hostname"} <= {each.type for each in status.addresses})


def storage_objects():
    """Objects of each kind that are as small as the API allows."""
    storage.create_storage_class(client.V1StorageClass(metadata=meta("python"), provisioner="example.com/none"))
    storage.create_csi_driver(client.V1CSIDriver(metadata=meta("python.example.com"), spec=client.V1CSIDriverSpec()))
    storage.create_csi_node(client.V1CSINode(metadata=meta("elsewhere"), spec=client.V1CSINodeSpec(drivers=[])))
    attachment = client.V1VolumeAttachment(
        metadata=meta("python"),
        spec=client.V1VolumeAttachmentSpec(
            attacher="none.example.com", node_name="elsewhere",
            source=client.V1VolumeAttachmentSource(persistent_volume_name="none")))
    storage.create_volume_attachment(attachment)
    ok("small objects of storage are made")


def pods(directory):
    """From a claim to a pod that is ready, as a watch shows it."""
    core.create_persistent_volume(client.V1PersistentVolume(
        metadata=meta("python"),
        spec=client.V1PersistentVolumeSpec(
            capacity={"storage": "1Gi"}, access_modes=["ReadWriteOnce"], storage_class_name="by-hand",
            persistent_volume_reclaim_policy="Retain",
            host_path=client.V1HostPathVolumeSource(path=directory))))
    core.create_namespaced_persistent_volume_claim(NAMESPACE, client.V1PersistentVolumeClaim(
        metadata=meta("data"),
        spec=client.V1PersistentVolumeClaimSpec(
            access_modes=["ReadWriteOnce"], storage_class_name="by-hand",
            resources=client.V1ResourceRequirements(requests={"storage": "1Gi"}))))
    core.create_namespaced_pod(NAMESPACE, client.V1Pod(
        metadata=meta("web", labels={"app": "web"}),
        spec=client.V1PodSpec(
            containers=[client.V1Container(
                name="main", image="none",
                volume_mounts=[client.V1VolumeMount(name="data", mount_path="/data")])],
            volumes=[client.V1Volume(
                name="data",
                persistent_volume_claim=client.V1PersistentVolumeClaimVolumeSource(claim_name="data"))])))
    for event in watch.Watch().stream(core.list_namespaced_pod, NAMESPACE, timeout_seconds=60):
        pod = event["object"]
        if pod.status.phase == "Running":
            break
    ok("a watch shows a pod until it runs", pod.status.phase == "Running")
    container = pod.status.container_statuses[0]
    ok("its containers are ready, and say why they do not run",
       container.ready and container.state.waiting.reason == "ContainersNotRun")
    ok("it has a class and a start", pod.status.qos_class == "BestEffort" and pod.status.start_time is not None)
    refused("exec", 0, lambda: stream(
        core.connect_get_namespaced_pod_exec, "web", NAMESPACE, command=["true"], stdout=True))
    core.delete_namespaced_pod("web", NAMESPACE)


def patches():
    core.create_namespaced_config_map(NAMESPACE, config_map("patched", data={"a": "1"}))
    core.patch_namespaced_config_map("patched", NAMESPACE, {"data": {"b": "2"}})
    core.patch_namespaced_config_map(
        "patched", NAMESPACE, [{"op": "test", "path": "/data/b", "value": "2"}, {"op": "remove", "path": "/data/a"}])
    ok("patches", core.read_namespaced_config_map("patched", NAMESPACE).data == {"b": "2"})
    stale = core.read_namespaced_config_map("patched", NAMESPACE)
    core.patch_namespaced_config_map("patched", NAMESPACE, {"data": {"c": "3"}})
    refused("a stale update", 409, lambda: core.replace_namespaced_config_map("patched", NAMESPACE, stale))
    ok("a dry run", core.patch_namespaced_config_map(
        "patched", NAMESPACE, {"data": {"d": "4"}}, dry_run="All").data["d"] == "4")
    ok("leaves no trace", "d" not in core.read_namespaced_config_map("patched", NAMESPACE).data)


def lists():
    for i in range(7):
        core.create_namespaced_config_map(NAMESPACE, config_map(f"page-{i}", labels={"page": str(i % 2)}))
    names, token = [], None
    while True:
        page = core.list_namespaced_config_map(NAMESPACE, limit=3, _continue=token)
        names += [each.metadata.name for each in page.items]
        token = page.metadata._continue
        if not token:
            break
    ok("pages", len(names) == len(set(names)) and {f"page-{i}" for i in range(7)} <= set(names))
    ok("label selectors", len(core.list_namespaced_config_map(NAMESPACE, label_selector="page in (1)").items) == 3)
    ok("field selectors", len(core.list_namespaced_config_map(
        NAMESPACE, field_selector="metadata.name=page-4").items) == 1)
    core.delete_collection_namespaced_config_map(NAMESPACE, label_selector="page=0")
    ok("a collection is deleted",
       len(core.list_namespaced_config_map(NAMESPACE, label_selector="page").items) == 3)


def watches():
    """A watch that is cut is resumed where it was; one from too long ago is told so."""
    start = core.list_namespaced_config_map(NAMESPACE).metadata.resource_version
    for name in ["one", "two", "three"]:
        core.create_namespaced_config_map(NAMESPACE, config_map(name))
    seen, version = [], start
    for _ in range(3):
        stream_ = watch.Watch()
        for event in stream_.stream(
                core.list_namespaced_config_map, NAMESPACE, resource_version=version, timeout_seconds=120):
            seen.append((event["type"], event["object"].metadata.name))
            version = event["object"].metadata.resource_version
            stream_.stop()
    ok("watches are resumed", seen == [("ADDED", "one"), ("ADDED", "two"), ("ADDED", "three")])


def election():
    led = threading.Event()
    lock = ConfigMapLock("leader", NAMESPACE, "python-1")
    candidate = leaderelection.LeaderElection(electionconfig.Config(
        lock, lease_duration=15, renew_deadline=10, retry_period=2, onstarted_leading=led.set, onstopped_leading=None))
    threading.Thread(target=candidate.run, daemon=True).start()
    ok("a leader is elected", led.wait(60))
    now = datetime.datetime.now(datetime.timezone.utc)
    coordination.create_namespaced_lease(NAMESPACE, client.V1Lease(
        metadata=meta("leader"), spec=client.V1LeaseSpec(holder_identity="python-1", renew_time=now, acquire_time=now)))
    read = coordination.read_namespaced_lease("leader", NAMESPACE)
    ok("a lease keeps its time", read.spec.renew_time == now)


def dynamics():
    """The client that learns all kinds from the server."""
    dynamic_client = dynamic.DynamicClient(client.ApiClient())
    maps = dynamic_client.resources.get(api_version="v1", kind="ConfigMap")
    maps.create(namespace=NAMESPACE, body={"metadata": {"name": "dynamic"}, "data": {"a": "1"}})
    ok("the dynamic client", maps.get(name="dynamic", namespace=NAMESPACE).data.a == "1")
    def apply(manager, value):
        """This release of the client does not write the body by itself."""
        body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "applied"}, "data": {"a": value}}
        return dynamic_client.server_side_apply(
            maps, body=json.dumps(body), name="applied", namespace=NAMESPACE, field_manager=manager)

    ok("server-side apply", apply("python", "1").metadata.managedFields[0].operation == "Apply")
    try:
        apply("other", "2")
        ok("a conflict", False)
    except dynamic.exceptions.ConflictError:
        ok("a conflict")
    classes = dynamic_client.resources.get(api_version="storage.k8s.io/v1", kind="StorageClass")
    ok("the dynamic client in a group", any(each.metadata.name == "python" for each in classes.get().items))


def events():
    about = client.V1ObjectReference(api_version="v1", kind="ConfigMap", name="patched", namespace=NAMESPACE)
    core.create_namespaced_event(NAMESPACE, client.CoreV1Event(
        metadata=meta("said"), involved_object=about, reason="Said", message="as it is", type="Normal"))
    ok("events", core.list_namespaced_event(
        NAMESPACE, field_selector="involvedObject.name=patched").items[0].message == "as it is")


def main(directory):
    core.create_namespace(client.V1Namespace(metadata=meta(NAMESPACE)))
    refused("a namespace that is there", 409, lambda: core.create_namespace(
        client.V1Namespace(metadata=meta(NAMESPACE))))
    refused("what is not there", 404, lambda: core.read_namespaced_pod("none", NAMESPACE))
    storage_objects()
    nodes()
    pods(directory)
    patches()
    lists()
    watches()
    election()
    dynamics()
    events()
    typed_lists()
    core.delete_namespace(NAMESPACE)
    print(f"{passed} passed, 0 failed")


main(sys.argv[1])
