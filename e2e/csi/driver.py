#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A CSI driver that shares no code with Mooring: Debian's gRPC, messages from our .proto files.

Volumes are directories below --state (files with a loop device for raw block). As root they are bind-mounted; otherwise, or with --plain, a
published volume is a directory with the file `published.json`. What it knows is in state.json, so it survives its own death. Each call is a
line of calls.jsonl: node, rpc, code and request; of secrets the keys only.

With --shared several processes are one driver on several machines: each reads what the others noted before it works. --places names where the
storage lies that the driver's controller gives out, as topologies (key=value,…;key=value,…), and --topology the place of a process' own node.

--faults FILE is read at every call, and may change while the driver runs. It maps an rpc, or "*", to one fault or a list of them:
    {"NodeStageVolume": {"when": "after", "code": "UNAVAILABLE", "message": "lost", "delay": 0.5, "die": true, "times": 2}}
when: "before" the work (usual), in its "middle" (done, but not noted), or "after" it. delay: seconds. times: how often; always unless given.
"""
import argparse, contextlib, fcntl, json, os, shutil, signal, subprocess, sys, tempfile, threading, time
from concurrent import futures
import grpc
from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory
from grpc_tools import protoc
import grpc_tools

PROTOS = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../csi-protocol/src/main/proto")
MULTI = {3, 4, 5}  # access modes of several nodes


def load():
    """The messages, and a service's descriptor by its full name."""
    with tempfile.NamedTemporaryFile() as out:
        common = os.path.join(os.path.dirname(grpc_tools.__file__), "_proto")
        if protoc.main(["protoc", f"-I{PROTOS}", f"-I{common}", "--include_imports", f"--descriptor_set_out={out.name}",
                        "csi.proto", "registration.proto"]):
            sys.exit("the .proto files cannot be read")
        files = descriptor_pb2.FileDescriptorSet.FromString(out.read())
    pool = descriptor_pool.DescriptorPool()
    for each in files.file:
        pool.Add(each)
    return pool, message_factory.MessageFactory(pool)


def mounted(path):
    """Whether something is mounted there; os.path.ismount does not see a bind mount within one file system."""
    with open("/proc/self/mountinfo") as lines:
        return any(line.split(" ")[4] == path for line in lines)


class Failed(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code, self.message = getattr(grpc.StatusCode, code), message


class Driver:
    def __init__(self, options, pool, factory):
        self.o, self.pool, self.factory = options, pool, factory
        self.lock, self.busy, self.fired = threading.RLock(), set(), {}
        self.path = os.path.join(options.state, "state.json")
        os.makedirs(os.path.join(options.state, "data"), exist_ok=True)
        self.s = json.load(open(self.path)) if os.path.exists(self.path) else {"volumes": {}, "snapshots": {}, "next": 1}
        self.mounts = os.geteuid() == 0 and not options.plain

    # ------------------------------------------------------------------------------------------------------ plumbing

    def handlers(self, service):
        found = {}
        for method in self.pool.FindServiceByName(service).methods:
            if hasattr(self, method.name):
                found[method.name] = grpc.unary_unary_rpc_method_handler(
                    self.guarded(method), self.type(method.input_type).FromString, lambda answer: answer.SerializeToString())
        return grpc.method_handlers_generic_handler(service, found)

    def type(self, descriptor):
        return self.factory.GetPrototype(descriptor)

    def guarded(self, method):
        def call(request, context):
            code, answer, key = "UNKNOWN", self.type(method.output_type)(), getattr(request, "volume_id", "") or getattr(request, "name", "")
            try:
                self.fault(method.name, "before")
                with self.lock:
                    if key in self.busy:
                        raise Failed("ABORTED", "an operation on this volume is under way")
                    if key:
                        self.busy.add(key)
                try:
                    with self.alone():
                        json_format.ParseDict(getattr(self, method.name)(request) or {}, answer)
                    self.fault(method.name, "after")
                    code = "OK"
                finally:
                    self.busy.discard(key)
            except Failed as e:
                code = e.code.name
                context.abort(e.code, e.message)
            finally:
                self.log(method.name, code, request)
            return answer
        return call

    @contextlib.contextmanager
    def alone(self):
        """No other process of this driver works meanwhile, and what they noted is known."""
        if not self.o.shared:
            yield
            return
        with self.lock, open(self.path + ".lock", "w") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            if os.path.exists(self.path):
                self.s = json.load(open(self.path))
            yield

    def fault(self, rpc, when):
        try:
            faults = json.load(open(self.o.faults)) if self.o.faults else {}
        except (OSError, ValueError):
            return
        for name in (rpc, "*"):
            listed = faults.get(name, [])
            for i, f in enumerate(listed if isinstance(listed, list) else [listed]):
                mark = (name, i, json.dumps(f, sort_keys=True))
                if f.get("when", "before") != when or self.fired.get(mark, 0) >= f.get("times", 1 << 30):
                    continue
                self.fired[mark] = self.fired.get(mark, 0) + 1
                time.sleep(f.get("delay", 0))
                if f.get("die"):
                    self.log(rpc, "DIED", None)
                    os._exit(9)
                if "code" in f:
                    raise Failed(f["code"], f.get("message", "as the test wants it"))

    def log(self, rpc, code, request):
        line = {"rpc": rpc, "code": code, "node": self.o.node_id} if self.o.shared else {"rpc": rpc, "code": code}
        if request is not None:
            line["request"] = json_format.MessageToDict(request, preserving_proto_field_name=True)
            if "secrets" in line["request"]:
                line["request"]["secrets"] = sorted(line["request"]["secrets"])
        with self.lock, open(os.path.join(self.o.state, "calls.jsonl"), "a") as out:
            out.write(json.dumps(line) + "\n")

    def save(self, rpc):
        """Notes what was done; until then a death forgets it."""
        self.fault(rpc, "middle")
        with self.lock:
            with open(self.path + ".new", "w") as out:
                json.dump(self.s, out, indent=1)
                out.flush()
                os.fsync(out.fileno())
            os.rename(self.path + ".new", self.path)

    def need(self, request, *fields):
        for f in fields:
            if not (request.HasField(f) if request.DESCRIPTOR.fields_by_name[f].message_type and
                    request.DESCRIPTOR.fields_by_name[f].label != 3 else getattr(request, f)):
                raise Failed("INVALID_ARGUMENT", f"{f} is missing")

    def volume(self, volume_id):
        if volume_id not in self.s["volumes"]:
            raise Failed("NOT_FOUND", f"there is no volume {volume_id}")
        return self.s["volumes"][volume_id]

    def data(self, volume_id):
        return os.path.join(self.o.state, "data", volume_id)

    def can(self, *names):
        return [{"rpc": {"type": n}} for n in names if n not in self.o.without]

    # ------------------------------------------------------------------------------------------------------ identity

    def GetPluginInfo(self, r):
        return {"name": self.o.name, "vendor_version": self.o.version}

    def GetPluginCapabilities(self, r):
        return {"capabilities": [{"service": {"type": "CONTROLLER_SERVICE"}}, {"volume_expansion": {"type": "ONLINE"}}]
                + ([{"service": {"type": "VOLUME_ACCESSIBILITY_CONSTRAINTS"}}] if self.o.topology or self.o.places else [])}

    def Probe(self, r):
        return {"ready": True}

    def GetInfo(self, r):
        return {"type": "CSIPlugin", "name": self.o.name, "endpoint": self.o.socket, "supported_versions": ["1.0.0"]}

    def NotifyRegistrationStatus(self, r):
        print("registered" if r.plugin_registered else f"not registered: {r.error}", flush=True)

    # ---------------------------------------------------------------------------------------------------- controller

    def ControllerGetCapabilities(self, r):
        return {"capabilities": self.can(
            "CREATE_DELETE_VOLUME", "LIST_VOLUMES", "GET_CAPACITY", "EXPAND_VOLUME", "CREATE_DELETE_SNAPSHOT", "CLONE_VOLUME",
            "MODIFY_VOLUME", "SINGLE_NODE_MULTI_WRITER",
            *(["PUBLISH_UNPUBLISH_VOLUME", "PUBLISH_READONLY", "LIST_VOLUMES_PUBLISHED_NODES"] if self.o.attach else []))}

    def used(self, place=None):
        return sum(v["size"] for v in self.s["volumes"].values() if place is None or v.get("place") == place)

    def left(self, place):
        """Bytes that are left there; --capacity is that of each place."""
        return max(0, self.o.capacity - self.used(place))

    def place(self, r, size):
        """The first of the places that are wanted, the preferred ones first, that has room; none if the driver knows no places."""
        wanted = [dict(t.segments) for t in [*r.accessibility_requirements.preferred, *r.accessibility_requirements.requisite]]
        for each in wanted or self.o.places:
            if each in self.o.places and self.left(each) >= size:
                return each
        if self.o.places:
            raise Failed("RESOURCE_EXHAUSTED", f"{size} bytes are wanted, and no place of {wanted} has them")

    def CreateVolume(self, r):
        self.need(r, "name", "volume_capabilities")
        for c in r.volume_capabilities:
            self.need(c, "access_mode")
            if not c.WhichOneof("access_type"):
                raise Failed("INVALID_ARGUMENT", "access_type is missing")
        low, high = r.capacity_range.required_bytes or 1 << 20, r.capacity_range.limit_bytes
        source = json_format.MessageToDict(r.volume_content_source, preserving_proto_field_name=True)
        block = r.volume_capabilities[0].HasField("block")
        wanted = {"parameters": dict(r.parameters), "attributes": dict(r.mutable_params), "source": source, "block": block}
        for vid, v in self.s["volumes"].items():
            if v["name"] == r.name:
                if v["size"] < low or (high and v["size"] > high) or any(v[k] != wanted[k] for k in wanted):
                    raise Failed("ALREADY_EXISTS", f"volume {r.name} exists and is another")
                return self.shown(vid)
        if high and high < low:
            raise Failed("OUT_OF_RANGE", "limit_bytes is less than required_bytes")
        place = self.place(r, low)
        if place is None and self.used() + low > self.o.capacity:
            raise Failed("RESOURCE_EXHAUSTED", f"{low} bytes are wanted and {self.o.capacity - self.used()} are left")
        origin = None
        if "snapshot" in source:
            origin = source["snapshot"]["snapshot_id"]
            if origin not in self.s["snapshots"]:
                raise Failed("NOT_FOUND", f"there is no snapshot {origin}")
        elif "volume" in source:
            origin = source["volume"]["volume_id"]
            self.volume(origin)
        vid = f"vol-{self.s['next']}"
        self.s["next"] += 1
        self.make(vid, block, low, origin)
        self.s["volumes"][vid] = {"name": r.name, "size": low, "staged": {}, "published": {}, "nodes": {}, **wanted}
        if place:
            self.s["volumes"][vid]["place"] = place
        self.save("CreateVolume")
        return self.shown(vid)

    def make(self, vid, block, size, origin):
        path = self.data(vid)
        if origin:
            (shutil.copy if block else shutil.copytree)(self.data(origin), path)
        elif not block:
            os.mkdir(path, 0o777)
            os.chmod(path, 0o777)
        if block:
            with open(path, "ab") as out:
                out.truncate(size)

    def shown(self, vid):
        v = self.s["volumes"][vid]
        volume = {"volume_id": vid, "capacity_bytes": str(v["size"]), "volume_context": {"made-by": self.o.name}}
        if v["source"]:
            volume["content_source"] = v["source"]
        if v.get("place"):
            volume["accessible_topology"] = [{"segments": v["place"]}]
        elif self.o.topology:
            volume["accessible_topology"] = [{"segments": self.o.topology}]
        return {"volume": volume}

    def DeleteVolume(self, r):
        self.need(r, "volume_id")
        v = self.s["volumes"].get(r.volume_id)
        if v is None:
            return
        if v["staged"] or v["published"] or v["nodes"]:
            raise Failed("FAILED_PRECONDITION", f"volume {r.volume_id} is in use")
        path = self.data(r.volume_id)
        shutil.rmtree(path) if os.path.isdir(path) else os.path.exists(path) and os.remove(path)
        del self.s["volumes"][r.volume_id]
        self.save("DeleteVolume")

    def ValidateVolumeCapabilities(self, r):
        self.need(r, "volume_id", "volume_capabilities")
        self.volume(r.volume_id)
        return {"confirmed": json_format.MessageToDict(r, preserving_proto_field_name=True, including_default_value_fields=False)
                and {"volume_capabilities": [json_format.MessageToDict(c, preserving_proto_field_name=True) for c in r.volume_capabilities]}}

    def ListVolumes(self, r):
        ids = sorted(self.s["volumes"])
        if r.starting_token and r.starting_token not in ids:
            raise Failed("ABORTED", "starting_token is not one of ours")
        first = ids.index(r.starting_token) if r.starting_token else 0
        last = first + r.max_entries if r.max_entries else len(ids)
        return {"entries": [{**self.shown(v), "status": {"published_node_ids": sorted(self.s["volumes"][v]["nodes"])}} for v in ids[first:last]],
                "next_token": ids[last] if last < len(ids) else ""}

    def GetCapacity(self, r):
        if self.o.places:
            asked = dict(r.accessible_topology.segments)
            return {"available_capacity": str(self.left(asked) if asked in self.o.places else 0)}
        return {"available_capacity": str(max(0, self.o.capacity - self.used()))}

    def ControllerPublishVolume(self, r):
        self.need(r, "volume_id", "node_id", "volume_capability")
        v = self.volume(r.volume_id)
        if r.node_id not in [self.o.node_id, *self.o.other_nodes]:
            raise Failed("NOT_FOUND", f"there is no node {r.node_id}")
        if v["nodes"].get(r.node_id, r.readonly) != r.readonly:
            raise Failed("ALREADY_EXISTS", "it is published there otherwise")
        others = [n for n in v["nodes"] if n != r.node_id]
        if others and r.volume_capability.access_mode.mode not in MULTI:
            raise Failed("FAILED_PRECONDITION", f"it is published on {others[0]}")
        v["nodes"][r.node_id] = r.readonly
        self.save("ControllerPublishVolume")
        return {"publish_context": {"device": f"disk-{r.volume_id}"}}

    def ControllerUnpublishVolume(self, r):
        self.need(r, "volume_id")
        v = self.s["volumes"].get(r.volume_id, {"nodes": {}})
        for node in [r.node_id] if r.node_id else list(v["nodes"]):
            v["nodes"].pop(node, None)
        self.save("ControllerUnpublishVolume")

    def ControllerExpandVolume(self, r):
        self.need(r, "volume_id", "capacity_range")
        v = self.volume(r.volume_id)
        if self.used() - v["size"] + r.capacity_range.required_bytes > self.o.capacity:
            raise Failed("OUT_OF_RANGE", "there is not enough space")
        v["size"] = max(v["size"], r.capacity_range.required_bytes)
        if v["block"]:
            os.truncate(self.data(r.volume_id), v["size"])
        self.save("ControllerExpandVolume")
        return {"capacity_bytes": str(v["size"]), "node_expansion_required": "EXPAND_VOLUME" not in self.o.without}

    def ControllerModifyVolume(self, r):
        self.need(r, "volume_id")
        v = self.volume(r.volume_id)
        for key in r.mutable_params:
            if key != "iops":
                raise Failed("INVALID_ARGUMENT", f"there is no parameter {key}")
        v["attributes"].update(r.mutable_params)
        self.save("ControllerModifyVolume")

    def CreateSnapshot(self, r):
        self.need(r, "name", "source_volume_id")
        for sid, s in self.s["snapshots"].items():
            if s["name"] == r.name:
                if s["source"] != r.source_volume_id:
                    raise Failed("ALREADY_EXISTS", f"snapshot {r.name} is of another volume")
                return {"snapshot": self.snapshot(sid)}
        v = self.volume(r.source_volume_id)
        sid = f"snap-{self.s['next']}"
        self.s["next"] += 1
        (shutil.copy if v["block"] else shutil.copytree)(self.data(r.source_volume_id), self.data(sid))
        self.s["snapshots"][sid] = {"name": r.name, "source": r.source_volume_id, "size": v["size"], "at": int(time.time())}
        self.save("CreateSnapshot")
        return {"snapshot": self.snapshot(sid)}

    def snapshot(self, sid):
        s = self.s["snapshots"][sid]
        return {"snapshot_id": sid, "source_volume_id": s["source"], "size_bytes": str(s["size"]), "ready_to_use": True,
                "creation_time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(s["at"]))}

    def DeleteSnapshot(self, r):
        self.need(r, "snapshot_id")
        if self.s["snapshots"].pop(r.snapshot_id, None):
            path = self.data(r.snapshot_id)
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
            self.save("DeleteSnapshot")

    def ListSnapshots(self, r):
        return {"entries": [{"snapshot": self.snapshot(i)} for i, s in sorted(self.s["snapshots"].items())
                            if r.snapshot_id in ("", i) and r.source_volume_id in ("", s["source"])]}

    # ---------------------------------------------------------------------------------------------------------- node

    def NodeGetCapabilities(self, r):
        return {"capabilities": self.can("STAGE_UNSTAGE_VOLUME", "GET_VOLUME_STATS", "EXPAND_VOLUME", "SINGLE_NODE_MULTI_WRITER")}

    def NodeGetInfo(self, r):
        info = {"node_id": self.o.node_id, "max_volumes_per_node": str(self.o.max_volumes)}
        return {**info, "accessible_topology": {"segments": self.o.topology}} if self.o.topology else info

    def staging(self):
        return "STAGE_UNSTAGE_VOLUME" not in self.o.without

    def capability(self, r):
        self.need(r, "volume_capability")
        return json_format.MessageToDict(r.volume_capability, preserving_proto_field_name=True)

    def NodeStageVolume(self, r):
        self.need(r, "volume_id", "staging_target_path")
        capability, v = self.capability(r), self.volume(r.volume_id)
        if v.get("place", self.o.topology) != self.o.topology:
            raise Failed("FAILED_PRECONDITION", f"volume {r.volume_id} lies in {v['place']}, and this node in {self.o.topology}")
        if v["staged"].get(r.staging_target_path, capability) != capability:
            raise Failed("ALREADY_EXISTS", "it is staged there with another capability")
        if self.o.attach and not r.publish_context.get("device"):
            raise Failed("FAILED_PRECONDITION", "publish_context has no device")
        if self.mounts and not v["block"] and not mounted(r.staging_target_path):
            subprocess.run(["mount", "--bind", self.data(r.volume_id), r.staging_target_path], check=True)
        v["staged"][r.staging_target_path] = capability
        self.save("NodeStageVolume")

    def NodeUnstageVolume(self, r):
        self.need(r, "volume_id", "staging_target_path")
        self.unmount(r.staging_target_path)
        self.s["volumes"].get(r.volume_id, {"staged": {}})["staged"].pop(r.staging_target_path, None)
        self.save("NodeUnstageVolume")

    def NodePublishVolume(self, r):
        self.need(r, "volume_id", "target_path")
        ephemeral = r.volume_context.get("csi.storage.k8s.io/ephemeral") == "true"
        capability, target = self.capability(r), r.target_path
        if ephemeral and r.volume_id not in self.s["volumes"]:
            self.make(r.volume_id, False, 0, None)
            self.s["volumes"][r.volume_id] = {"name": r.volume_id, "size": 0, "staged": {}, "published": {}, "nodes": {}, "parameters": {},
                                              "attributes": {}, "source": {}, "block": False, "ephemeral": True}
        v = self.volume(r.volume_id)
        if self.staging() and not ephemeral and r.staging_target_path not in v["staged"]:
            raise Failed("FAILED_PRECONDITION", f"volume {r.volume_id} is not staged at {r.staging_target_path!r}")
        how = {"capability": capability, "readonly": r.readonly}
        if v["published"].get(target, how) != how:
            raise Failed("ALREADY_EXISTS", "it is published there otherwise")
        if v["block"]:
            if not os.path.exists(target) and self.mounts:
                loop = subprocess.run(["losetup", "--find", "--show", *(["--read-only"] if r.readonly else []), self.data(r.volume_id)],
                                      check=True, capture_output=True, text=True).stdout.strip()
                os.mknod(target, 0o60600, os.stat(loop).st_rdev)
            elif not self.mounts:
                open(target, "a").close()
        else:
            os.makedirs(target, 0o750, exist_ok=True)
            if not self.mounts:
                json.dump({"volume": r.volume_id, **how}, open(os.path.join(target, "published.json"), "w"))
            elif not mounted(target):
                subprocess.run(["mount", "--bind", r.staging_target_path if self.staging() and not ephemeral else self.data(r.volume_id),
                                target], check=True)
                if r.readonly:
                    subprocess.run(["mount", "-o", "remount,bind,ro", target], check=True)
        v["published"][target] = how
        self.save("NodePublishVolume")

    def NodeUnpublishVolume(self, r):
        self.need(r, "volume_id", "target_path")
        target, v = r.target_path, self.s["volumes"].get(r.volume_id)
        self.unmount(target)
        if os.path.isdir(target):
            if not self.mounts and os.path.exists(os.path.join(target, "published.json")):
                os.remove(os.path.join(target, "published.json"))
            os.rmdir(target)
        elif os.path.lexists(target):
            if v and v["block"] and self.mounts:
                for line in subprocess.run(["losetup", "--noheadings", "--output", "NAME", "--associated", self.data(r.volume_id)],
                                           capture_output=True, text=True).stdout.split():
                    subprocess.run(["losetup", "--detach", line])
            os.remove(target)
        if v:
            v["published"].pop(target, None)
            if v.get("ephemeral") and not v["published"]:
                shutil.rmtree(self.data(r.volume_id), ignore_errors=True)
                del self.s["volumes"][r.volume_id]
        self.save("NodeUnpublishVolume")

    def unmount(self, path):
        while self.mounts and mounted(path):
            subprocess.run(["umount", path], check=True)

    def NodeGetVolumeStats(self, r):
        self.need(r, "volume_id", "volume_path")
        v = self.volume(r.volume_id)
        if r.volume_path not in [*v["published"], *v["staged"]]:
            raise Failed("NOT_FOUND", f"volume {r.volume_id} is not at {r.volume_path}")
        return {"usage": [{"total": str(v["size"]), "available": str(v["size"]), "unit": "BYTES"}]}

    def NodeExpandVolume(self, r):
        self.need(r, "volume_id", "volume_path")
        return {"capacity_bytes": str(self.volume(r.volume_id)["size"])}


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--endpoint", required=True, help="unix:///path of the driver's socket")
    a.add_argument("--state", required=True, help="directory for volumes, state.json and calls.jsonl")
    a.add_argument("--name", default="test.csi.example.com")
    a.add_argument("--version", default="1")
    a.add_argument("--node-id", default="node-a")
    a.add_argument("--other-nodes", default="", help="more nodes to which volumes can be published, by commas")
    a.add_argument("--registration", default="", help="serve pluginregistration on this socket too")
    a.add_argument("--attach", action="store_true", help="volumes have to be published to the node by the controller")
    a.add_argument("--plain", action="store_true", help="mount nothing, also as root")
    a.add_argument("--without", default="", help="capabilities that are not shown, by commas")
    a.add_argument("--topology", default="", help="key=value,…")
    a.add_argument("--places", default="", help="where the controller has storage: topologies, by semicolons")
    a.add_argument("--shared", action="store_true", help="--state is that of other processes too")
    a.add_argument("--max-volumes", type=int, default=0)
    a.add_argument("--capacity", type=int, default=1 << 40, help="bytes")
    a.add_argument("--faults", default="", help="file with faults, see above")
    o = a.parse_args()
    o.without, o.other_nodes = o.without.split(","), [n for n in o.other_nodes.split(",") if n]
    o.topology, *o.places = [dict(pair.split("=") for pair in each.split(",") if pair) for each in [o.topology, *o.places.split(";")]]
    o.places = [each for each in o.places if each]
    o.socket = o.endpoint[len("unix://"):] if o.endpoint.startswith("unix://") else o.endpoint
    os.umask(0o077)
    pool, factory = load()
    driver, servers = Driver(o, pool, factory), []
    sockets = {o.socket: ["csi.v1.Identity", "csi.v1.Controller", "csi.v1.Node"]}
    if o.registration:
        sockets.setdefault(o.registration, []).append("pluginregistration.Registration")
    for socket, services in sockets.items():
        if os.path.exists(socket):
            os.remove(socket)
        server = grpc.server(futures.ThreadPoolExecutor(max_workers=32))
        for service in services:
            server.add_generic_rpc_handlers((driver.handlers(service),))
        server.add_insecure_port("unix://" + socket)
        server.start()
        servers.append(server)
    print(f"{o.name} listens on {o.endpoint}", flush=True)
    ended = threading.Event()
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, lambda *_: ended.set())
    ended.wait()
    for server in servers:
        server.stop(1).wait()
    for socket in sockets:
        if os.path.exists(socket):
            os.remove(socket)


if __name__ == "__main__":
    main()
