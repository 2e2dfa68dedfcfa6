// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e.inside;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.ApiStore;
import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.distribution.wiring.Awaiting;
import dev.mooring.storage.codec.KubernetesYaml;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.ListOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A store, two nodes, and the controllers in a process of their own, which may be killed. */
final class TwoNodes implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Path base;
    private final DocumentStore store;
    private final Awaiting awaiting;
    private final StoreServer server;
    private final Map<String, Agent> agents;
    private final TargetWatch watch;
    private Process controllers;
    private boolean ending;

    /**
     * Starts it.
     *
     * @param base a directory, in which the storage is made already
     */
    TwoNodes(Path base, Kill kill) {
        this.base = base;
        store = new ApiStore(
                new JournalEngine(base.resolve("journal")),
                StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new SecureRandom())));
        awaiting = new Awaiting(store, PATIENCE);
        watch = new TargetWatch(Backends.target(base.resolve("data")));
        agents = Map.of("left", agent("left"), "right", agent("right"));
        server = new StoreServer(store.as("controllers"), base.resolve("socket"), kill.of(this::killed));
        controllers = start();
    }

    private Agent agent(String name) {
        return new Agent(name, base.resolve(name), store, () -> watch.look("after a change of " + name));
    }

    private Process start() {
        return ChildJvm.start(
                base.resolve("controllers.log"),
                ControllerMain.class,
                base.resolve("socket").toString(),
                base.resolve("controllers").toString());
    }

    /** With -9; others come in their place. */
    private synchronized void killed() {
        controllers.destroyForcibly();
        controllers.onExit().join();
        watch.look("after the controllers were killed");
        if (!ending) {
            controllers = start();
        }
    }

    TargetWatch watch() {
        return watch;
    }

    /** Offers the storage as a volume, and claims it. */
    void offer(Backend backend) {
        create(Life.volume(backend, base));
        create("""
                {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data, namespace: default},
                 spec: {storageClassName: "", volumeName: %s, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Mi}}}}""".formatted(Life.VOLUME));
        awaiting.until(
                Kinds.PERSISTENT_VOLUME_CLAIM,
                ObjectKey.of("default", "data"),
                "the claim is bound",
                seen -> seen.filter(claim -> claim.status().phase() == ClaimPhase.BOUND)
                        .isPresent());
    }

    private void create(String yaml) {
        for (Document document : KubernetesYaml.standard().readAll(yaml, "test")) {
            Kind<?> kind = Kinds.standard()
                    .byKindName(document.text("kind").orElse(""))
                    .orElseThrow();
            store.as("user").createDocument(kind, document).orThrow();
        }
    }

    /** A pod on a node, which uses the volume. */
    void create(String node, String pod) {
        create("""
                {apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: default},
                 spec: {nodeName: %s, volumes: [{name: data, persistentVolumeClaim: {claimName: data}}],
                        containers: [{name: main, image: none, volumeMounts: [{name: data, mountPath: /data}]}]}}""".formatted(pod, node));
    }

    /** Starts a pod, which writes. */
    void write(String node, String pod) throws IOException {
        create(node, pod);
        Files.writeString(shown(node, pod).resolve("file"), "kept");
    }

    /** What a pod reads, when it runs. */
    void read(String node, String pod) {
        assertThat(shown(node, pod).resolve("file")).hasContent("kept");
    }

    private Path shown(String node, String pod) {
        String uid = awaiting.until(
                        Kinds.POD,
                        ObjectKey.of("default", pod),
                        "pod " + pod + " runs",
                        seen -> seen.filter(found -> found.status().phase() == PodPhase.RUNNING)
                                .isPresent())
                .map(Pod::metadata)
                .orElseThrow()
                .uid();
        return agents.get(node).root().resolve("pods/" + uid + "/volumes/kubernetes.io~iscsi/" + Life.VOLUME);
    }

    void deleteWithoutWaiting(String pod) {
        store.as("user")
                .deleteObject(Kinds.POD, ObjectKey.of("default", pod), DeleteOptions.DEFAULT)
                .orThrow();
    }

    void gone(String pod) {
        awaiting.until(Kinds.POD, ObjectKey.of("default", pod), "pod " + pod + " goes", Optional::isEmpty);
    }

    /** Waits until nothing is attached, in use or remembered. */
    void end() {
        for (VolumeAttachment each :
                store.list(Kinds.VOLUME_ATTACHMENT, ListOptions.ALL).orThrow().items()) {
            awaiting.until(
                    Kinds.VOLUME_ATTACHMENT, ObjectKey.of(each), ObjectKey.of(each) + " goes", Optional::isEmpty);
        }
        agents.forEach((name, agent) -> {
            awaiting.until(Kinds.NODE, ObjectKey.cluster(name), "node " + name + " is free", TwoNodes::isFree);
            agent.quiet();
            assertThat(agent.remembered()).as("records of " + name).isEmpty();
            assertThat(MachineView.mountPointsBelow(agent.root())).as(name).isEmpty();
            assertThat(agent.putAside()).as("put aside by " + name).isEmpty();
        });
    }

    private static boolean isFree(Optional<Node> node) {
        return node.filter(seen -> seen.status().volumesAttached().isEmpty()
                        && seen.status().volumesInUse().isEmpty())
                .isPresent();
    }

    @Override
    public void close() {
        synchronized (this) {
            ending = true;
            // The first one ends well, and leaves its classes to those that come after.
            controllers.destroy();
            controllers.onExit().join();
        }
        agents.values().forEach(Agent::close);
        server.close();
        store.close();
        System.out.println(MachineView.read(base.resolve("controllers.log")));
    }

    /** At which write of the controllers to an attachment or a node they are killed. Thread-safe. */
    static final class Kill {
        private static final List<String> KINDS = List.of("VolumeAttachment", "Node");

        private final int at;
        private final boolean effect;
        private int seen;
        private String where = "nowhere";

        private Kill(int at, boolean effect) {
            this.at = at;
            this.effect = effect;
        }

        static Kill never() {
            return new Kill(0, false);
        }

        /**
         * At a write.
         *
         * @param at which one, from 1
         * @param effect whether it has its effect
         */
        static Kill at(int at, boolean effect) {
            return new Kill(at, effect);
        }

        synchronized int seen() {
            return seen;
        }

        synchronized String where() {
            return where;
        }

        private synchronized boolean isNow(String what, boolean after) {
            if (KINDS.stream().noneMatch(kind -> what.endsWith(" " + kind))) {
                return false;
            }
            seen += after ? 0 : 1;
            boolean now = seen == at && effect == after;
            where = now ? what : where;
            return now;
        }

        StoreServer.Writes of(Runnable killing) {
            return new StoreServer.Writes() {
                @Override
                public boolean begins(String what) {
                    boolean now = isNow(what, false);
                    if (now) {
                        killing.run();
                    }
                    return !now;
                }

                @Override
                public void done(String what) {
                    if (isNow(what, true)) {
                        killing.run();
                    }
                }
            };
        }
    }
}
