// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import dev.mooring.storage.document.MergePatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * What three managers do to one object, by a seed: they create, update, patch and apply.
 *
 * @param subject what kind of object
 * @param name of the object
 * @param steps what is done, in order
 */
record ApplySequence(Subject subject, String name, List<Step> steps) {
    private static final int STEPS = 10;
    private static final List<String> MANAGERS = List.of("one", "two", "three");

    /** What is done. */
    enum Act {
        CREATE,
        UPDATE,
        PATCH,
        APPLY
    }

    /**
     * A step.
     *
     * @param fields what is created or applied; for an update or a patch, a merge patch
     */
    record Step(Act act, String manager, boolean force, String subresource, Document fields) {}

    /** A place in an object, and what may stand there. */
    private record Place(List<String> path, List<?> values) {
        static Place of(String path, Object... values) {
            return new Place(List.of(path.split("[.]", -1)), List.of(values));
        }

        Document in(Document object, Object value) {
            return object.with(value, path.toArray(String[]::new));
        }
    }

    /** A kind of object. */
    @SuppressWarnings("ImmutableEnumChecker") // what it holds is made by List.of and Map.of
    enum Subject {
        CONFIG_MAP(
                "v1",
                "ConfigMap",
                "/api/v1/namespaces/default/configmaps",
                Map.of(),
                List.of(Place.of("data.k", "1", "2"), Place.of("data.l", "1", "2"), Place.of("data.m", "1", "2")),
                List.of()),
        SECRET(
                "v1",
                "Secret",
                "/api/v1/namespaces/default/secrets",
                Map.of(),
                List.of(Place.of("data.k", "MQ==", "Mg=="), Place.of("data.l", "MQ==", "Mg==")),
                List.of()),
        CLAIM(
                "v1",
                "PersistentVolumeClaim",
                "/api/v1/namespaces/default/persistentvolumeclaims",
                Map.of(
                        "accessModes",
                        List.of("ReadWriteOnce"),
                        "storageClassName",
                        "none",
                        "resources",
                        Map.of("requests", Map.of("storage", "1Gi"))),
                List.of(),
                List.of(
                        Place.of("status.accessModes", List.of("ReadWriteOnce"), List.of("ReadWriteMany")),
                        Place.of("status.capacity", Map.of("storage", "1Gi"), Map.of("storage", "2Gi")),
                        Place.of(
                                "status.conditions", conditions("Resizing", "True"), conditions("Resizing", "False")))),
        VOLUME(
                "v1",
                "PersistentVolume",
                "/api/v1/persistentvolumes",
                Map.of(
                        "accessModes",
                        List.of("ReadWriteOnce"),
                        "capacity",
                        Map.of("storage", "1Gi"),
                        "hostPath",
                        Map.of("path", "/none")),
                List.of(
                        Place.of("spec.persistentVolumeReclaimPolicy", "Retain", "Delete", "Recycle"),
                        Place.of("spec.storageClassName", "none", "other"),
                        Place.of("spec.mountOptions", List.of("ro"), List.of("ro", "noatime")),
                        Place.of(
                                "spec.accessModes", List.of("ReadWriteOnce", "ReadOnlyMany"), List.of("ReadWriteMany")),
                        Place.of("spec.capacity", Map.of("storage", "2Gi"), Map.of("storage", "3Gi")),
                        Place.of("spec.claimRef", claim("a"), claim("b"))),
                // 1.20 puts down the phase for who creates the volume.
                List.of(Place.of("status.message", "x", "y"), Place.of("status.reason", "X", "Y"))),
        POD(
                "v1",
                "Pod",
                "/api/v1/namespaces/default/pods",
                Map.of("containers", List.of(container("c", "image:1")), "automountServiceAccountToken", false),
                // In 1.20 admission changes tolerations at each write, so the writer owns them.
                List.of(
                        Place.of(
                                "spec.containers",
                                List.of(container("c", "image:2")),
                                List.of(container("c", "image:3")),
                                List.of(container("c", "image:1"), container("d", "image:1"))),
                        Place.of("spec.activeDeadlineSeconds", 100L, 90L)),
                List.of(
                        Place.of("status.phase", "Running", "Failed"),
                        Place.of("status.message", "x", "y"),
                        Place.of(
                                "status.conditions",
                                conditions("Ready", "True"),
                                conditions("Ready", "False"),
                                conditions("Ready", "True", "Initialized", "True")))),
        LEASE(
                "coordination.k8s.io/v1",
                "Lease",
                "/apis/coordination.k8s.io/v1/namespaces/default/leases",
                Map.of(),
                List.of(
                        Place.of("spec.holderIdentity", "a", "b"),
                        Place.of("spec.leaseDurationSeconds", 10L, 20L),
                        Place.of("spec.leaseTransitions", 1L, 2L)),
                List.of()),
        DRIVERS(
                "storage.k8s.io/v1",
                "CSINode",
                "/apis/storage.k8s.io/v1/csinodes",
                Map.of(),
                List.of(Place.of(
                        "spec.drivers",
                        List.of(driver("a")),
                        List.of(driver("b")),
                        List.of(driver("a"), driver("b")),
                        List.of(driver("a"), driver("c")))),
                List.of()),
        NODE(
                "v1",
                "Node",
                "/api/v1/nodes",
                Map.of(),
                List.of(Place.of("spec.unschedulable", true)),
                List.of(
                        Place.of("status.volumesInUse", List.of("a"), List.of("a", "b")),
                        Place.of(
                                "status.conditions",
                                conditions("Ready", "True"),
                                conditions("Ready", "False"),
                                conditions("Ready", "True", "Other", "True"),
                                conditions("Other", "False")),
                        Place.of(
                                "status.addresses",
                                List.of(Map.of("type", "Hostname", "address", "x")),
                                List.of(
                                        Map.of("type", "Hostname", "address", "y"),
                                        Map.of("type", "InternalIP", "address", "10.0.0.1")))));

        private final String apiVersion;
        private final String kind;
        private final String collection;
        private final Map<String, Object> spec;
        private final List<Place> main;
        private final List<Place> status;

        Subject(
                String apiVersion,
                String kind,
                String collection,
                Map<String, Object> spec,
                List<Place> main,
                List<Place> status) {
            this.apiVersion = apiVersion;
            this.kind = kind;
            this.collection = collection;
            this.spec = spec;
            List<Place> all = new ArrayList<>(main);
            all.add(Place.of("metadata.labels.a", "1", "2"));
            all.add(Place.of("metadata.labels.b", "1", "2"));
            all.add(Place.of("metadata.annotations.a", "1", "2"));
            all.add(Place.of(
                    "metadata.finalizers",
                    List.of("example.com/a"),
                    List.of("example.com/a", "example.com/b"),
                    List.of("example.com/c", "example.com/b")));
            this.main = List.copyOf(all);
            this.status = List.copyOf(status);
        }

        String collection() {
            return collection;
        }
    }

    private static Map<String, Object> driver(String name) {
        return Map.of("name", name, "nodeID", "n", "topologyKeys", List.of("example.com/zone"));
    }

    private static Map<String, Object> claim(String name) {
        return Map.of("namespace", "default", "name", name);
    }

    private static Map<String, Object> container(String name, String image) {
        return Map.of("name", name, "image", image);
    }

    private static List<Object> conditions(String... typesAndStatus) {
        List<Object> all = new ArrayList<>();
        for (int i = 0; i < typesAndStatus.length; i += 2) {
            all.add(Map.of("type", typesAndStatus[i], "status", typesAndStatus[i + 1]));
        }
        return all;
    }

    /** The sequence of a seed. */
    static ApplySequence of(long seed) {
        // The first numbers of seeds that lie side by side are nearly the same.
        Random random = new Random(seed * 0x9E3779B97F4A7C15L);
        Subject subject = Subject.values()[(int) Math.floorMod(seed, (long) Subject.values().length)];
        String name = "apply-" + seed;
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < STEPS; i++) {
            steps.add(step(subject, name, i == 0, random));
        }
        return new ApplySequence(subject, name, steps);
    }

    private static Step step(Subject subject, String name, boolean first, Random random) {
        String manager = MANAGERS.get(random.nextInt(MANAGERS.size()));
        boolean ofStatus = !first && !subject.status.isEmpty() && random.nextInt(3) == 0;
        List<Place> places = ofStatus ? subject.status : subject.main;
        Act act = first
                ? random.nextBoolean() ? Act.CREATE : Act.APPLY
                : List.of(Act.UPDATE, Act.PATCH, Act.APPLY, Act.APPLY).get(random.nextInt(4));
        boolean whole = act == Act.CREATE || act == Act.APPLY;
        Document fields = whole ? named(subject, name, ofStatus) : Document.empty();
        for (Place place : places) {
            if (random.nextInt(whole ? 2 : 4) == 0) {
                boolean removes = !whole && random.nextInt(3) == 0;
                Object value = removes
                        ? JsonNull.NULL
                        : place.values().get(random.nextInt(place.values().size()));
                fields = place.in(fields, value);
            }
        }
        // The real server of 1.20 does not tell writers of the status from others: they have names of their own.
        return new Step(
                act,
                ofStatus ? manager + "-status" : manager,
                random.nextInt(3) == 0,
                ofStatus ? "/status" : "",
                fields);
    }

    private static Document named(Subject subject, String name, boolean ofStatus) {
        Document object = Document.of(Map.of("apiVersion", subject.apiVersion, "kind", subject.kind))
                .with(name, "metadata", "name");
        return ofStatus || subject.spec.isEmpty() ? object : object.with(subject.spec, "spec");
    }

    /** What an update sends of what was read. */
    static Document edited(Document current, Step step) {
        return MergePatch.apply(current, step.fields());
    }
}
