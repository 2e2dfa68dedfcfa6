// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.NfsSource;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.VolumeTemplate;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.testkit.host.PlainCall;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** What tests hand to the plugin, and how they read its answers. */
final class Calls {
    static final NodeRef HERE = new NodeRef("node-1", "node-uid-1");
    static final PodRef POD = new PodRef("ns", "pod", "pod-uid");

    private Calls() {}

    static VolumeSource source(String server, String path) {
        return new NfsSource(server, path, false).toSource();
    }

    static VolumeSpec volume(VolumeSource source, String... options) {
        return new VolumeSpec(
                "pv-1",
                "pv-uid-1",
                source,
                List.of(AccessMode.READ_WRITE_MANY),
                VolumeMode.FILESYSTEM,
                Quantity.parse("1Gi"),
                List.of(options),
                Map.of());
    }

    static VolumeSpec withModes(VolumeSpec volume, AccessMode... modes) {
        return new VolumeSpec(
                volume.name(),
                volume.uid(),
                volume.source(),
                List.of(modes),
                volume.mode(),
                volume.capacity(),
                volume.mountOptions(),
                volume.annotations());
    }

    static VolumeSpec withAnnotations(VolumeSpec volume, Map<String, String> annotations) {
        return new VolumeSpec(
                volume.name(),
                volume.uid(),
                volume.source(),
                volume.accessModes(),
                volume.mode(),
                volume.capacity(),
                volume.mountOptions(),
                annotations);
    }

    static ProvisionRequest claim(String name, Map<String, String> parameters) {
        return claim(name, parameters, Map.of());
    }

    /** A claim whose uid is part of the volume's name, as it always is. */
    static ProvisionRequest claim(String name, Map<String, String> parameters, Map<String, String> annotations) {
        return new ProvisionRequest(
                "pvc-uid-" + name,
                ObjectKey.of("ns", name),
                "uid-" + name,
                Map.of("team", "blue"),
                annotations,
                Quantity.parse("1Gi"),
                List.of(AccessMode.READ_WRITE_MANY),
                VolumeMode.FILESYSTEM,
                "class",
                parameters,
                Map.of(),
                List.of(),
                ReclaimPolicy.DELETE,
                Optional.empty(),
                Map.of());
    }

    static ProvisionRequest withSize(ProvisionRequest request, String size) {
        return new ProvisionRequest(
                request.volumeName(),
                request.claim(),
                request.claimUid(),
                request.claimLabels(),
                request.claimAnnotations(),
                Quantity.parse(size),
                request.accessModes(),
                request.mode(),
                request.className(),
                request.parameters(),
                request.attributes(),
                request.mountOptions(),
                request.reclaimPolicy(),
                request.selectedNode(),
                request.nodeLabels());
    }

    /** The volume object that the binder makes of a template. */
    static VolumeSpec made(ProvisionRequest request, VolumeTemplate template) {
        return new VolumeSpec(
                request.volumeName(),
                "pv-" + request.claimUid(),
                template.source(),
                template.accessModes(),
                request.mode(),
                template.capacity(),
                request.mountOptions(),
                template.annotations());
    }

    static PublishRequest request(VolumeSpec volume, Path target, boolean readOnly, PublishRequest.Occasion occasion) {
        return new PublishRequest(volume, POD, target, Optional.empty(), readOnly, occasion);
    }

    static <T> T value(Outcome<T> outcome) {
        assertThat(outcome.isDone()).as(outcome::toString).isTrue();
        return outcome.result().orElseThrow();
    }

    /** {@code done}, the refusal, or the kind of the outcome. */
    static String answer(Outcome<?> outcome) {
        return outcome.match(
                done -> "done",
                refused -> refused.refusal().toString(),
                uncertain -> "uncertain",
                deferred -> "deferred",
                elsewhere -> "elsewhere");
    }

    /** A call, and what the host hears of it. */
    static final class Context implements PlainCall {
        final List<String> heard = new ArrayList<>();
        private final HostServices host;
        private final InstantSource clock;
        private final Instant deadline;
        private final AtomicReference<PluginState> memory;

        Context(HostServices host, InstantSource clock, Instant deadline, AtomicReference<PluginState> memory) {
            this.host = host;
            this.clock = clock;
            this.deadline = deadline;
            this.memory = memory;
        }

        Context(HostServices host) {
            this(host, InstantSource.system(), Instant.now().plusSeconds(120), new AtomicReference<>(PluginState.NONE));
        }

        @Override
        public Instant deadline() {
            return deadline;
        }

        @Override
        public InstantSource clock() {
            return clock;
        }

        @Override
        public Optional<NodeRef> node() {
            return Optional.of(HERE);
        }

        @Override
        public HostServices host() {
            return host;
        }

        @Override
        public void report(Notice notice) {
            heard.add(notice.toString());
        }

        @Override
        public Outcome<Nothing> remember(PluginState state) {
            memory.set(state);
            return Outcome.done();
        }

        @Override
        public PluginState remembered() {
            return memory.get();
        }
    }
}
