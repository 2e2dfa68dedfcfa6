// SPDX-License-Identifier: Apache-2.0
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** Makes objects by the API, many at a time. */
final class Objects {
    private static final int AT_ONCE = 8;
    private static final String VOLUMES = "/api/v1/persistentvolumes";
    private static final String CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";

    private final String url;
    private final String token;
    private final HttpClient http;

    Objects(String url, String token) throws Exception {
        this.url = url;
        this.token = token;
        SSLContext trusting = SSLContext.getInstance("TLS");
        trusting.init(null, new TrustManager[] {new Everybody()}, new SecureRandom());
        http = HttpClient.newBuilder().sslContext(trusting).version(HttpClient.Version.HTTP_1_1).build();
    }

    /** Volumes up to a number, of which every tenth has a claim that is bound to it. */
    void volumes(int from, int to) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(AT_ONCE);
        try {
            List<Future<?>> made = new ArrayList<>();
            for (int number = from; number < to; number++) {
                int mine = number;
                made.add(pool.submit(() -> {
                    pair(mine);
                    return null;
                }));
            }
            for (Future<?> each : made) {
                each.get();
            }
        } finally {
            pool.shutdown();
        }
    }

    private void pair(int number) throws Exception {
        String name = "volume-%04d".formatted(number);
        make(VOLUMES, """
                {"metadata":{"name":"%s","labels":{"rack":"r%d"}},"spec":{"capacity":{"storage":"%dGi"},"accessModes":["ReadWriteMany"],
                "storageClassName":"manual","nfs":{"server":"nfs.example.com","path":"/%s"}}}""".formatted(name, number % 7, 1 + number % 9, name));
        if (number % 10 == 0) {
            make(CLAIMS, """
                    {"metadata":{"name":"claim-%04d"},"spec":{"accessModes":["ReadWriteMany"],"storageClassName":"manual",
                    "volumeName":"%s","resources":{"requests":{"storage":"1Gi"}}}}""".formatted(number, name));
        }
    }

    /** A pod that uses a claim. */
    void pod(String name, String claim) throws Exception {
        make("/api/v1/namespaces/default/pods", """
                {"metadata":{"name":"%s"},"spec":{"containers":[{"name":"main","image":"none"}],
                "volumes":[{"name":"data","persistentVolumeClaim":{"claimName":"%s"}}]}}""".formatted(name, claim));
    }

    /** A pod that a scheduler has placed. */
    void pod(String name, String node, String claim) throws Exception {
        make("/api/v1/namespaces/default/pods", """
                {"metadata":{"name":"%s"},"spec":{"nodeName":"%s","containers":[{"name":"main","image":"none",
                "volumeMounts":[{"name":"data","mountPath":"/data"}]}],
                "volumes":[{"name":"data","persistentVolumeClaim":{"claimName":"%s"}}]}}""".formatted(name, node, claim));
    }

    /** A node of another machine, whose driver has a disk that is attached to one node at a time; the disk's claim. */
    String diskOn(String node) throws Exception {
        make("/api/v1/nodes", """
                {"metadata":{"name":"%s","annotations":{"volumes.kubernetes.io/controller-managed-attach-detach":"true"}}}""".formatted(node));
        make("/apis/storage.k8s.io/v1/csinodes", """
                {"metadata":{"name":"%s"},"spec":{"drivers":[{"name":"disk.example.com","nodeID":"%s","topologyKeys":[]}]}}""".formatted(node, node));
        make(VOLUMES, """
                {"metadata":{"name":"disk"},"spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"storageClassName":"manual",
                "persistentVolumeReclaimPolicy":"Retain","csi":{"driver":"disk.example.com","volumeHandle":"disk"}}}""");
        make(CLAIMS, """
                {"metadata":{"name":"disk"},"spec":{"accessModes":["ReadWriteOnce"],"storageClassName":"manual","volumeName":"disk",
                "resources":{"requests":{"storage":"1Gi"}}}}""");
        return "disk";
    }

    /** What its attacher says of an attachment. */
    void attached(String attachment) throws Exception {
        patch("/apis/storage.k8s.io/v1/volumeattachments/" + attachment + "/status", "{\"status\":{\"attached\":true}}");
    }

    /** A node uses the disk, and is heard of no more. */
    void silent(String node) throws Exception {
        patch("/api/v1/nodes/" + node + "/status", """
                {"status":{"volumesInUse":["kubernetes.io/csi/disk.example.com^disk"],"conditions":[{"type":"Ready","status":"Unknown",
                "reason":"NodeStatusUnknown","message":"Kubelet stopped posting node status."}]}}""");
    }

    /** Neither the node nor the disk any more. */
    void noDiskOn(String node) throws Exception {
        delete(CLAIMS + "/disk");
        delete(VOLUMES + "/disk");
        delete("/apis/storage.k8s.io/v1/csinodes/" + node);
        delete("/api/v1/nodes/" + node);
    }

    void make(String path, String body) throws Exception {
        send("POST", path, body, "application/json", 201);
    }

    void patch(String path, String merge) throws Exception {
        send("PATCH", path, merge, "application/merge-patch+json", 200);
    }

    void delete(String path) throws Exception {
        send("DELETE", path, "", "application/json", 200);
    }

    private void send(String method, String path, String body, String type, int wanted) throws Exception {
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(URI.create(url + path))
                        .header("Authorization", "Bearer " + token)
                        .header("Content-Type", type)
                        .method(method, HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != wanted) {
            throw new IllegalStateException(method + " " + path + ": " + answer.statusCode() + " " + answer.body());
        }
    }

    /** The server is one of this machine, made for this check. */
    private static final class Everybody extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
