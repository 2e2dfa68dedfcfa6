#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""One call to a CSI driver, as another program would make it: call.py SOCKET SERVICE.RPC [REQUEST as JSON]

Prints the answer as JSON. If the driver refuses, it prints the code and the message, and ends with status 1.
"""
import json, sys
import grpc
from google.protobuf import json_format
import driver


def main():
    socket, name = sys.argv[1:3]
    service, rpc = name.split(".")
    pool, factory = driver.load()
    method = pool.FindServiceByName("csi.v1." + service).methods_by_name[rpc]
    request = json_format.ParseDict(json.loads(sys.argv[3] if len(sys.argv) > 3 else "{}"), factory.GetPrototype(method.input_type)())
    call = grpc.insecure_channel("unix://" + socket).unary_unary(
        f"/csi.v1.{service}/{rpc}", lambda q: q.SerializeToString(), factory.GetPrototype(method.output_type).FromString)
    try:
        print(json.dumps(json_format.MessageToDict(call(request, timeout=60), preserving_proto_field_name=True)))
    except grpc.RpcError as e:
        print(e.code().name, e.details())
        sys.exit(1)


if __name__ == "__main__":
    main()
