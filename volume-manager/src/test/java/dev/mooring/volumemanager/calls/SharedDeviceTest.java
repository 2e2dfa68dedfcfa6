// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.runtime.record.RecordEntryPublishBuilder;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.BlockMapping;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.PublishRequest.Occasion;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.BlockDevices;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.volumemanager.Unnamed;
import dev.mooring.volumemanager.machine.Playground;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two pods with one raw device: what holds it for one stays when the other ends (semantics/attach-and-mount §3.7). */
class SharedDeviceTest {
    private static final PluginName PLUGIN = new PluginName("example.com/disk");
    private static final long SIZE = 1 << 20;

    private Optional<Playground> playground = Optional.empty();
    private Path image = Path.of("/");
    private Path root = Path.of("/");
    private BlockDevice disk = new BlockDevice("none", Path.of("/dev/none"), "0:0", 0, false, Optional.empty());

    @BeforeEach
    void aDisk() throws IOException {
        Playground here = new Playground(HostFeature.ROOT, HostFeature.RESOLVE_RULES);
        playground = Optional.of(here);
        assumeTrue(Files.exists(Path.of("/dev/loop-control")), "needs loop devices");
        root = here.directory("kubelet");
        image = here.file("image", "");
        try (RandomAccessFile sparse = new RandomAccessFile(image.toFile(), "rw")) {
            sparse.setLength(SIZE);
        }
        disk = Playground.value(devices().attachLoop(here.context(), image));
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        if (playground.isPresent()) {
            try (Playground here = playground.get()) {
                for (String pod : List.of("one", "other")) {
                    devices().detachLoop(here.context(), record(pod).deviceMap().orElseThrow());
                }
                devices().detachLoop(here.context(), image);
            }
        }
    }

    private Playground here() {
        return playground.orElseThrow();
    }

    private BlockDevices devices() {
        return here().host.blockDevices();
    }

    private List<String> holders() {
        return Playground.value(devices().users(here().context(), disk));
    }

    private Publish record(String pod) {
        return RecordEntryPublishBuilder.builder()
                .pod(new PodRef("default", pod, pod))
                .podVolume("data")
                .volume("pv1")
                .volumeId(new VolumeId(PLUGIN, "x"))
                .deviceMap(root.resolve("plugins/example.com/disk/volumeDevices/pv1")
                        .resolve(pod))
                .state(PluginState.NONE)
                .target(root.resolve("pods").resolve(pod).resolve("volumeDevices/example.com~disk/pv1"))
                .phase(RecordPhase.INTENT)
                .bootId("boot-1")
                .build();
    }

    private DeviceWork work() {
        return new DeviceWork(here().host, new HostDirectories(here().host.files(), root));
    }

    private void map(String pod) {
        Publish record = record(pod);
        VolumeSpec spec =
                VolumeSpec.inline("data", "default", new VolumeSource("example", Document.of(Map.of("path", "/x"))));
        PublishRequest request =
                new PublishRequest(spec, record.pod(), record.target(), Optional.empty(), false, Occasion.INITIAL);
        PublishCall call = new PublishCall(new NodeRef("n1", "node-uid"), record, request);
        Playground.value(work().map(here().context(), call, new OneDevice(disk.path())));
    }

    private void unmap(String pod) {
        Playground.value(work().unmap(here().context(), record(pod), new OneDevice(disk.path())));
    }

    private record OneDevice(Path device) implements BlockMapping {
        @Override
        public Outcome<Path> map(OperationContext context, PublishRequest request) {
            return Outcome.done(device);
        }

        @Override
        public Outcome<Nothing> unmap(OperationContext context, VolumeId volume, PodRef pod) {
            return Outcome.done();
        }
    }

    @Test
    void theDeviceStaysHeldForTheOtherPodInWhateverOrderTheyEnd() {
        for (List<String> order : List.of(List.of("one", "other"), List.of("other", "one"))) {
            map("one");
            map("other");
            assertThat(holders()).hasSize(2);

            unmap(order.get(0));
            assertThat(holders()).hasSize(1);
            assertThat(record(order.get(1)).target()).isSymbolicLink();

            unmap(order.get(1));
            assertThat(holders()).isEmpty();
        }
    }

    @Test
    void whatNoObjectNamesIsLetGoWithoutThatOfALivingPod() {
        map("one");
        map("other");

        takeAway("one");
        assertThat(holders()).hasSize(1);
        assertThat(here().mountsAt(record("other").deviceMap().orElseThrow())).hasSize(1);
        takeAway("other");
        assertThat(holders()).isEmpty();
    }

    private void takeAway(String pod) {
        Path place = record(pod).deviceMap().orElseThrow();
        HostWork host = new HostWork(root, PluginRegistry.EMPTY, here().host);
        TakeAwayCall call = new TakeAwayCall(
                new NodeRef("n1", "node-uid"),
                new Unnamed(here().mountsAt(place).get(0), pod, true));
        Playground.value(host.perform(here().context(), call));
    }
}
