// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.controlplane.NodeAgent;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.runtime.record.MemoryRecordLog;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Container;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.PodSpec;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMount;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Attaching;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.Publishing;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchEvent;
import dev.mooring.storage.store.WatchListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of docs/embed/embedding.md does what is said there. */
class AttachingExampleTest {
    private static final ObjectKey POD = ObjectKey.of("default", "web");
    private static final List<AccessMode> ONCE = List.of(AccessMode.READ_WRITE_ONCE);

    @TempDir
    private Path directory = Path.of("");

    /** Skips what this machine cannot do. */
    private void needsToMount() {
        Optional<LinuxHost> here = LinuxHost.ofThisMachine(LinuxHostLayout.below(directory));
        assumeTrue(here.isPresent(), "needs Linux on x86_64 or aarch64");
        for (HostFeature feature : List.of(HostFeature.ROOT, HostFeature.RESOLVE_RULES)) {
            assumeTrue(here.orElseThrow().capabilities().has(feature), feature.toString());
        }
    }

    private static MemoryClusterStore store() {
        return new MemoryClusterStore(
                StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new Random(3))));
    }

    private NodeAgent agent(ClusterStore store, Rack rack) {
        return AttachingExample.agent(store, "n1", rack, new MemoryRecordLog(), directory.resolve("kubelet"));
    }

    @Test
    void aPodGetsAVolumeThatIsAttachedFirstAndDetachedAfterwards() throws Exception {
        needsToMount();
        Rack rack = new Rack();
        try (MemoryClusterStore store = store();
                var controllers = AttachingExample.controllers(store, rack);
                var agent = agent(store, rack)) {
            fill(store);
            await(store, Kinds.POD, event -> event.object().status().phase() == PodPhase.RUNNING);
            store.delete(Kinds.POD, POD, DeleteOptions.DEFAULT).orThrow();
            await(store, Kinds.VOLUME_ATTACHMENT, event -> event.type() == WatchEvent.Type.DELETED);
            assertThat(rack.calls).containsExactly("attach", "publish", "unpublish", "detach");
            agent.whenQuiescent().get(60, TimeUnit.SECONDS);
            controllers.whenQuiescent().get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void aPodIsToldWhyItWaitsAndWhatIsNotedStandsOnTheVolume() throws Exception {
        needsToMount();
        Rack rack = new Rack();
        rack.jammed.set(true);
        try (MemoryClusterStore store = store();
                var controllers = AttachingExample.controllers(store, rack);
                var agent = agent(store, rack)) {
            fill(store);
            await(
                    store,
                    Kinds.EVENT,
                    event -> event.object().reason().equals("FailedMount")
                            && event.object().involvedObject().name().equals(POD.name())
                            && event.object().message().contains("jammed"));
            await(store, Kinds.POD, event -> event.object().status().phase() == PodPhase.RUNNING);
            PersistentVolume disk = store.get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("disk"))
                    .orThrow();
            assertThat(disk.metadata().annotation(Rack.NOTE)).contains("slot 3");
            agent.whenQuiescent().get(60, TimeUnit.SECONDS);
            controllers.whenQuiescent().get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void standsInTheGuide() throws IOException {
        String guide = Reactor.read(Reactor.ROOT.resolve("docs/embed/embedding.md"));
        String source = Files.readString(
                Reactor.ROOT.resolve("distribution/src/test/java/dev/mooring/distribution/AttachingExample.java"));
        for (String part : List.of("controllers begin/controllers end", "agent begins/agent ends")) {
            int slash = part.indexOf('/');
            int begin = source.indexOf('\n', source.indexOf("// " + part.substring(0, slash))) + 1;
            String example = source.substring(begin, source.indexOf("// " + part.substring(slash + 1)))
                    .stripIndent()
                    .stripTrailing();
            assertThat(guide).contains("```java\n" + example + "\n```");
        }
    }

    private static <T extends KubernetesObject> void await(
            ClusterStore store, Kind<T> kind, Predicate<WatchEvent<T>> wanted) throws Exception {
        CountDownLatch seen = new CountDownLatch(1);
        Watch watch = store.watch(kind, ListOptions.ALL, Revision.ZERO, new WatchListener<>() {
            @Override
            public void onEvent(WatchEvent<T> event) {
                if (wanted.test(event)) {
                    seen.countDown();
                }
            }

            @Override
            public void onBookmark(Revision revision) {}

            @Override
            public void onEnd(StoreResult.Failure reason, String message) {}
        });
        assertThat(seen.await(60, TimeUnit.SECONDS)).isTrue();
        watch.close();
    }

    private static void fill(ClusterStore store) {
        var disk = PersistentVolumeSpec.EMPTY.withStorage(Quantity.parse("1Gi")).withAccessModes(ONCE);
        var source = new CsiSource(Rack.NAME.value(), "d1", "", false, Map.of()).toSource();
        store.create(Kinds.PERSISTENT_VOLUME, PersistentVolume.of("disk", disk.withSource(Optional.of(source))))
                .orThrow();
        var wish = PersistentVolumeClaimSpec.EMPTY
                .withRequestedStorage(Quantity.parse("1Gi"))
                .withAccessModes(ONCE);
        store.create(Kinds.PERSISTENT_VOLUME_CLAIM, PersistentVolumeClaim.of("default", "data", wish))
                .orThrow();
        var mount = new VolumeMount("d", "/d", false, "", "", Optional.empty());
        var claimed = new VolumeSource("persistentVolumeClaim", Document.of(Map.of("claimName", "data")));
        store.create(
                        Kinds.POD,
                        Pod.of(
                                "default",
                                "web",
                                PodSpec.EMPTY
                                        .withNodeName("n1")
                                        .withVolumes(List.of(new PodVolume("d", Optional.of(claimed))))
                                        .withContainers(List.of(new Container(
                                                "main", "registry.example.com/app:1", List.of(mount), List.of())))))
                .orThrow();
    }

    /** Storage that has to be attached; nothing is really mounted. */
    private static final class Rack implements StoragePlugin, Attaching, Publishing {
        static final PluginName NAME = new PluginName("rack.example.com");
        static final String NOTE = "mooring.dev/slot";

        private final ConcurrentLinkedQueue<String> calls = new ConcurrentLinkedQueue<>();
        /** The next publish is refused. */
        private final AtomicBoolean jammed = new AtomicBoolean();

        @Override
        public PluginDescriptor describe() {
            return PluginDescriptor.of(NAME, List.of(), Place.CONTROLLER).withManagesOwnership(true);
        }

        @Override
        public VolumeId identify(VolumeSource source) {
            return new VolumeId(NAME, CsiSource.of(source).orElseThrow().volumeHandle());
        }

        @Override
        public List<FieldProblem> validate(VolumeSource source) {
            return List.of();
        }

        @Override
        public boolean requiresAttach(VolumeSpec volume) {
            return true;
        }

        @Override
        public Outcome<Map<String, String>> attach(OperationContext context, VolumeSpec volume, NodeRef node) {
            calls.add("attach");
            return Outcome.done(Map.of("slot", "3"));
        }

        @Override
        public Outcome<Nothing> detach(OperationContext context, VolumeId volume, NodeRef node) {
            calls.add("detach");
            return Outcome.done();
        }

        @Override
        public Map<VolumeId, State> observe(OperationContext context, NodeRef node, Set<VolumeId> volumes) {
            Map<VolumeId, State> answers = new HashMap<>();
            volumes.forEach(volume -> answers.put(volume, State.UNKNOWN));
            return answers;
        }

        @Override
        public Outcome<PluginState> publish(OperationContext context, PublishRequest request) {
            calls.add("publish");
            return jammed.getAndSet(false)
                    ? Outcome.refused(Refusal.DENIED, "the door is jammed")
                    : context.notes().write(NOTE, Optional.empty(), "slot 3").map(noted -> PluginState.NONE);
        }

        @Override
        public Outcome<Nothing> unpublish(
                OperationContext context, VolumeId volume, PodRef pod, Path target, PluginState state) {
            calls.add("unpublish");
            return Outcome.done();
        }
    }
}
