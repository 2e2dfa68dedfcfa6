// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/** Requests that no client should send, the same ones for the same seed. */
final class FuzzRequests {
    /** Stands in every secret that these requests make, and must never come back in a refusal. */
    static final String SECRET = "c3dvcmRmaXNo";

    private static final List<String> COLLECTIONS = List.of(
            "/api/v1/namespaces/default/persistentvolumeclaims",
            "/api/v1/namespaces/default/configmaps",
            "/api/v1/namespaces/default/secrets",
            "/api/v1/namespaces/other/secrets",
            "/api/v1/namespaces/default/pods",
            "/api/v1/namespaces/default/events",
            "/api/v1/persistentvolumes",
            "/api/v1/nodes",
            "/api/v1/namespaces",
            "/apis/storage.k8s.io/v1/storageclasses",
            "/apis/storage.k8s.io/v1/volumeattachments",
            "/apis/coordination.k8s.io/v1/namespaces/default/leases");
    private static final List<String> TYPES = List.of(
            "application/json",
            "application/merge-patch+json",
            "application/json-patch+json",
            "application/strategic-merge-patch+json",
            "application/yaml",
            "application/apply-patch+yaml",
            "application/vnd.kubernetes.protobuf",
            "application/cbor",
            "",
            "x/y;;=",
            "application/json; charset=utf-16");
    private static final List<String> NAMES = List.of(
            "metadata",
            "name",
            "spec",
            "status",
            "data",
            "finalizers",
            "labels",
            "op",
            "path",
            "value",
            "from",
            "$patch",
            "$setElementOrder/finalizers",
            "$deleteFromPrimitiveList/finalizers",
            "$retainKeys",
            "capacity",
            "namespace",
            "generateName",
            "preconditions",
            "kind",
            "apiVersion",
            "ownerReferences",
            "uid",
            "resourceVersion",
            "deletionTimestamp",
            "stringData",
            "accessModes",
            "storage",
            "resources",
            "requests",
            "hostPath",
            "nfs",
            "claimRef",
            "volumes",
            "containers",
            "annotations",
            "type",
            "");
    private static final List<String> SCALARS = List.of(
            "null",
            "true",
            "1",
            "-1",
            "1e400",
            "-1e999999999",
            "0.1",
            "9223372036854775808",
            "\"x\"",
            "\"\"",
            "\"\\ud800\"",
            "\"\\u0000\"",
            "\"1Gi\"",
            "\"-5Gi\"",
            "\"2020-01-01T00:00:00Z\"",
            "\"remove\"",
            "\"add\"",
            "\"copy\"",
            "\"/metadata/labels\"",
            "\"/spec/~2/-\"",
            "\"delete\"",
            "\"replace\"",
            "",
            "nul",
            "tru\u0000");
    private static final List<String> PARAMETERS = List.of(
            "limit",
            "continue",
            "resourceVersion",
            "resourceVersionMatch",
            "labelSelector",
            "fieldSelector",
            "dryRun",
            "fieldValidation",
            "propagationPolicy",
            "gracePeriodSeconds",
            "pretty",
            "x",
            "%00");
    private static final List<String> VALUES = List.of(
            "",
            "1",
            "-1",
            "a%3Db",
            "a%20in%20(b,c",
            "!x",
            "metadata.name%3Dodd1",
            "All",
            "Strict",
            "Warn",
            "Ignore",
            "%25",
            "%ff",
            "%",
            "99999999999999999999",
            "Foreground",
            "Orphan",
            "eyJ2IjoxfQ",
            "NotOlderThan");

    private final Random random;

    FuzzRequests(long seed) {
        random = new Random(seed);
    }

    /** A request. */
    static final class Shot {
        private final byte[] bytes;
        private final boolean token;
        private final boolean wellFormed;
        private final boolean head;
        private final String path;

        private Shot(byte[] bytes, boolean token, boolean wellFormed, boolean head, String path) {
            this.bytes = bytes;
            this.token = token;
            this.wellFormed = wellFormed;
            this.head = head;
            this.path = path;
        }

        /** As they are sent; not a copy. */
        byte[] bytes() {
            return bytes;
        }

        /** Whether it carries the token. */
        boolean token() {
            return token;
        }

        /** Whether it is HTTP, so that the server has to answer and the connection can stay. */
        boolean wellFormed() {
            return wellFormed;
        }

        /** Whether the answer has no body. */
        boolean head() {
            return head;
        }

        String path() {
            return path;
        }

        @Override
        public String toString() {
            String text = new String(bytes, StandardCharsets.ISO_8859_1);
            return text.length() > 1_500 ? text.substring(0, 1_500) + "..." : text;
        }
    }

    Shot next(String token) {
        if (random.nextInt(50) == 0) {
            return nonsense(token);
        }
        String method = pick(List.of("GET", "POST", "POST", "PUT", "PATCH", "PATCH", "PATCH", "DELETE", "HEAD", "FOO"));
        String path = path(method);
        boolean allowed = random.nextInt(20) != 0;
        byte[] body = method.equals("GET") || method.equals("HEAD") ? new byte[0] : body(path);
        StringBuilder head = new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n");
        head.append("Authorization: ")
                .append(allowed ? "Bearer " + token : wrongToken(token))
                .append("\r\n");
        String type = type(method, body);
        if (!type.isEmpty()) {
            head.append("Content-Type: ").append(type).append("\r\n");
        }
        if (random.nextInt(4) == 0) {
            head.append(oddHeader()).append("\r\n");
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        if (body.length > 0 && random.nextInt(5) == 0) {
            out.writeBytes(ascii(head + "Transfer-Encoding: chunked\r\n\r\n"));
            chunks(out, body);
        } else {
            out.writeBytes(ascii(head + "Content-Length: " + body.length + "\r\n\r\n"));
            out.writeBytes(body);
        }
        return new Shot(out.toByteArray(), allowed, true, method.equals("HEAD"), path);
    }

    private String wrongToken(String token) {
        return pick(List.of(
                "Bearer",
                "Bearer " + token.substring(1),
                "Basic " + token,
                "Bearer " + token + "x",
                "bearer\t",
                token));
    }

    private String oddHeader() {
        return pick(List.of(
                "Accept: application/json;as=Table;g=meta.k8s.io;v=v1",
                "Accept: ;;,=,application/json;as=",
                "Accept: application/vnd.kubernetes.protobuf",
                "Content-Encoding: gzip",
                "X-Long: " + "h".repeat(random.nextInt(4_000)),
                "If-Match: *",
                "Impersonate-User: nobody",
                "Upgrade: websocket",
                "X-Remote-User: root"));
    }

    private void chunks(ByteArrayOutputStream out, byte[] body) {
        int at = 0;
        while (at < body.length) {
            int size = Math.min(body.length - at, 1 + random.nextInt(body.length));
            out.writeBytes(ascii(Integer.toHexString(size) + (random.nextInt(5) == 0 ? ";odd=1" : "") + "\r\n"));
            out.write(body, at, size);
            out.writeBytes(ascii("\r\n"));
            at += size;
        }
        out.writeBytes(ascii("0\r\n\r\n"));
    }

    /** Not HTTP, or not whole. */
    private Shot nonsense(String token) {
        String auth = "Authorization: Bearer " + token + "\r\n";
        String map = "/api/v1/namespaces/default/configmaps";
        byte[] garbage = new byte[1 + random.nextInt(300)];
        random.nextBytes(garbage);
        byte[] bytes = switch (random.nextInt(8)) {
            case 0 -> garbage;
            case 1 ->
                ascii("POST " + map + " HTTP/1.1\r\nHost: x\r\n" + auth
                        + "Transfer-Encoding: chunked\r\n\r\nZZ\r\nnonsense\r\n");
            case 2 ->
                ascii("POST " + map + " HTTP/1.1\r\nHost: x\r\n" + auth
                        + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n");
            case 3 -> ascii("GET /" + "a".repeat(70_000) + " HTTP/1.1\r\nHost: x\r\n\r\n");
            case 4 -> ascii("GET / HTTP/9.9\r\n\r\n");
            case 5 -> ascii("POST " + map + " HTTP/1.1\r\nHost: x\r\n" + auth + "Content-Length: -7\r\n\r\n");
            case 6 -> ascii("GET /%zz HTTP/1.1\r\nHost: x\r\n" + auth + "\r\n");
            default ->
                ascii("GET / HTTP/1.1\r\nHost: x\r\n" + ("H" + random.nextInt() + ": y\r\n").repeat(2_000) + "\r\n");
        };
        return new Shot(bytes, false, false, false, "");
    }

    /** Mostly one that fits, so that what comes behind is tried as well. */
    private String type(String method, byte[] body) {
        if (random.nextInt(8) == 0) {
            return pick(TYPES);
        } else if (!method.equals("PATCH")) {
            return "application/json";
        }
        boolean list = body.length > 0 && body[0] == '[';
        return list
                ? "application/json-patch+json"
                : pick(List.of("application/merge-patch+json", "application/strategic-merge-patch+json"));
    }

    private String path(String method) {
        StringBuilder path = new StringBuilder();
        if (random.nextInt(4) > 0) {
            path.append(pick(COLLECTIONS));
            if (method.equals("POST") ? random.nextInt(20) == 0 : random.nextInt(15) > 0) {
                path.append("/odd").append(random.nextInt(6));
            }
            if (random.nextInt(8) == 0) {
                path.append("/status");
            }
        } else {
            int parts = random.nextInt(8);
            for (int i = 0; i < parts; i++) {
                path.append('/')
                        .append(pick(List.of(
                                "api",
                                "apis",
                                "v1",
                                "namespaces",
                                "default",
                                "pods",
                                "status",
                                "secrets",
                                "storage.k8s.io",
                                "x",
                                "%41",
                                "%2e",
                                "%2e%2e",
                                "%20",
                                "%00",
                                "..",
                                ";p=1",
                                "openapi",
                                "v3",
                                "version",
                                "%f0%9f")));
            }
        }
        if (random.nextInt(3) == 0) {
            path.append('?').append(pick(PARAMETERS)).append('=').append(pick(VALUES));
            if (random.nextBoolean()) {
                path.append('&').append(pick(PARAMETERS)).append('=').append(pick(VALUES));
            }
        }
        return path.isEmpty() ? "/" : path.toString();
    }

    private byte[] body(String path) {
        int choice = random.nextInt(100);
        if (choice == 0) {
            return ascii(pick(List.of("[", "{\"a\":", "- ")).repeat(20_000));
        } else if (choice == 1) {
            return ascii("{\"metadata\":{\"name\":\"odd1\"},\"data\":{\"x\":\"" + "y".repeat(random.nextInt(400_000))
                    + "\"}}");
        } else if (choice < 5) {
            byte[] bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            return bytes;
        } else if (path.contains("secrets") && choice < 50) {
            return ascii("{\"metadata\":{\"name\":\"odd" + random.nextInt(6) + "\",\"x\":" + json(2)
                    + "},\"data\":{\"password\":\"" + SECRET + "\",\"y\":" + json(3) + "}}");
        } else if (choice < 35) {
            return ascii("{\"metadata\":{\"name\":\"odd" + random.nextInt(6)
                    + "\",\"labels\":{\"a\":\"b\"}},\"spec\":{\"accessModes\":"
                    + "[\"ReadWriteOnce\"],\"storageClassName\":\"x\",\"resources\":{\"requests\":{\"storage\":\"1Gi\"}},\"capacity\":"
                    + "{\"storage\":\"1Gi\"},\"nfs\":{\"server\":\"a.invalid\",\"path\":\"/x\"},\"" + pick(NAMES)
                    + "\":" + json(2)
                    + "},\"provisioner\":\"example.com/x\",\"data\":{\"k\":\"djI=\"}}");
        } else if (choice < 60) {
            return ascii("{\"metadata\":{\"name\":\"odd" + random.nextInt(6) + "\"},\"" + pick(NAMES) + "\":" + json(1)
                    + ",\"" + pick(NAMES) + "\":" + json(1) + "}");
        } else if (choice < 75) {
            return ascii("[{\"op\":\"" + pick(List.of("add", "remove", "replace", "move", "copy", "test", "x"))
                    + "\",\"path\":\"/" + pick(NAMES) + "/" + pick(NAMES) + "\",\"from\":\"/" + pick(NAMES)
                    + "\",\"value\":" + json(1) + "}]");
        }
        return json(0).getBytes(StandardCharsets.UTF_8);
    }

    private String json(int depth) {
        int choice = random.nextInt(depth > 4 ? 3 : 9);
        if (choice < 2) {
            return pick(SCALARS);
        } else if (choice == 2) {
            return pick(List.of("{}", "[]", "{", "[[]", "\"" + "y".repeat(random.nextInt(300)) + "\""));
        } else if (choice == 3) {
            return "[" + json(depth + 1) + "," + json(depth + 1) + "]";
        }
        StringBuilder object = new StringBuilder("{");
        int members = random.nextInt(4) + 1;
        for (int i = 0; i < members; i++) {
            object.append(i == 0 ? "" : ",")
                    .append('"')
                    .append(pick(NAMES))
                    .append("\":")
                    .append(json(depth + 1));
        }
        return object.append('}').toString();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private <T> T pick(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
