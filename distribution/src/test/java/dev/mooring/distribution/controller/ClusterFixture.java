// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller;

import dev.mooring.kubernetes.cluster.ApiClient;
import dev.mooring.kubernetes.cluster.RealCluster;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.codec.KubernetesYaml;
import dev.mooring.storage.document.Document;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** What tests do to a real cluster as its users and administrators, and what they wait for. */
final class ClusterFixture {
    static final String VOLUMES = "/api/v1/persistentvolumes";
    static final String CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
    static final String LEASE = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/mooring-controller";
    private static final long PATIENCE_NANOS = 240_000_000_000L;

    final RealCluster cluster = RealCluster.shared();
    final ApiClient admin = cluster.admin();

    /** Gives the user under test the rights of the manifest that is shipped, and none else. */
    void grantWhatTheManifestGrants() throws IOException {
        grant("controller-rbac.yaml");
    }

    /** Gives the user under test the rights of a manifest that is shipped. */
    void grant(String name) throws IOException {
        for (Document each : manifest(name)) {
            boolean binding = each.at("subjects").isPresent();
            if (!each.text("kind").orElseThrow().equals("ServiceAccount")) { // the test's user takes its place
                post(binding ? each.with(List.of(Map.of("kind", "User", "name", "mooring")), "subjects") : each);
            }
        }
    }

    /** The manifest's own bindings, beside those of the user under test. */
    void bindTheManifestsRolesToItsServiceAccount() throws IOException {
        for (Document each : manifest("controller-rbac.yaml")) {
            if (each.at("subjects").isPresent()) {
                post(each.with(each.text("metadata", "name").orElseThrow() + "-account", "metadata", "name"));
            }
        }
    }

    private static List<Document> manifest(String name) throws IOException {
        Path root = Path.of(System.getProperty("mooring.root", ".."));
        String text = Files.readString(root.resolve("docs/manifests").resolve(name));
        return KubernetesYaml.standard().readAll(text, name);
    }

    private void post(Document object) {
        String namespace = object.text("metadata", "namespace")
                .map(name -> "/namespaces/" + name)
                .orElse("");
        String plural = object.text("kind").orElseThrow().toLowerCase(java.util.Locale.ROOT) + "s";
        admin.send(
                "POST",
                "/apis/rbac.authorization.k8s.io/v1" + namespace + "/" + plural,
                KubernetesJson.standard().write(object));
    }

    /** A controller that runs puts finalizers back until it has seen the deletion. */
    void empty() {
        empty("/api/v1/persistentvolumeclaims");
        empty(VOLUMES);
        // Whatever other tests have left there: the order in which they run is not fixed.
        empty("/apis/storage.k8s.io/v1/storageclasses");
        empty("/apis/storage.k8s.io/v1/csidrivers");
        empty("/api/v1/nodes");
    }

    private void empty(String collection) {
        until(collection, collection + " are gone", list -> {
            admin.removeAll(collection);
            return list.at("items").equals(java.util.Optional.of(List.of()));
        });
    }

    void volume(String name, String more) {
        admin.ok("POST", VOLUMES, """
                {"metadata":{"name":"%s"},"spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"]%s}}""".formatted(
                name,
                more.contains("\"nfs\"") || more.contains("\"csi\"") || more.contains("hostPath") ? more : more + NFS));
    }

    private static final String NFS = ",\"nfs\":{\"server\":\"nfs.example.com\",\"path\":\"/exports\"}";

    void claim(String name, String more) {
        admin.ok("POST", CLAIMS, """
                {"metadata":{"name":"%s"},"spec":{"storageClassName":"","accessModes":["ReadWriteOnce"],
                 "resources":{"requests":{"storage":"1Gi"}}%s}}""".formatted(name, more));
    }

    /** One that lets its claims grow, made if it is not there. */
    void storageClass(String name, String provisioner) {
        admin.send("POST", "/apis/storage.k8s.io/v1/storageclasses", """
                {"metadata":{"name":"%s"},"provisioner":"%s","allowVolumeExpansion":true}""".formatted(name, provisioner));
    }

    void claimOfClass(String name, String storageClass) {
        admin.ok("POST", CLAIMS, """
                {"metadata":{"name":"%s"},"spec":{"storageClassName":"%s","accessModes":["ReadWriteOnce"],
                 "resources":{"requests":{"storage":"1Gi"}}}}""".formatted(name, storageClass));
    }

    void delete(String path) {
        admin.send("DELETE", path, "");
    }

    /** Looks until it is so. For a path that it does not serve yet, the server answers in plain text. */
    Document until(String path, String what, Predicate<Document> wanted) {
        long end = System.nanoTime() + PATIENCE_NANOS;
        String last = "";
        while (System.nanoTime() - end < 0) {
            last = admin.send("GET", path, "").body();
            if (last.startsWith("{")) {
                Document seen = KubernetesJson.standard().read(last, path);
                if (wanted.test(seen)) {
                    return seen;
                }
            }
            pause();
        }
        throw new AssertionError(what + " did not happen; last seen: " + last);
    }

    void untilPhase(String path, String phase) {
        until(path, path + " " + phase, object -> object.text("status", "phase").equals(java.util.Optional.of(phase)));
    }

    void untilGone(String path) {
        until(path, path + " goes", object -> object.at("code").equals(java.util.Optional.of(404L)));
    }

    void untilBound(String volume, String claim) {
        untilPhase(CLAIMS + "/" + claim, "Bound");
        untilPhase(VOLUMES + "/" + volume, "Bound");
        until(
                CLAIMS + "/" + claim,
                claim + " names " + volume,
                object -> object.text("spec", "volumeName").equals(java.util.Optional.of(volume)));
    }

    /** Has a volume {@code v…} and a claim {@code c…} for it bound by the controllers. */
    void bind(String name) {
        volume("v" + name, "");
        claim("c" + name, ",\"volumeName\":\"v" + name + "\"");
        untilBound("v" + name, "c" + name);
    }

    static void pause() {
        try {
            Thread.sleep(50);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
