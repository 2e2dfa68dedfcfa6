// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
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
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.BlockDevices;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.volumemanager.machine.RecordingCall;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pod that may only read gets a device only if the kernel refuses to write to it (S18). */
class ReadOnlyDeviceTest {
    private static final Path DEVICE = Path.of("/dev/sdz");

    @TempDir
    private Path temp;

    /** This machine with one device; a call that would bind it is stopped. */
    private HostServices machine(boolean readOnly) {
        Optional<LinuxHost> host = LinuxHost.ofThisMachine(new LinuxHostLayout(
                temp.resolve("state"), temp.resolve("orphans"), KeptPlaces.in(temp.resolve("places"))));
        assumeThat(host).as("Linux on x86_64 or aarch64").isPresent();
        assumeThat(host.get().capabilities().whyMissing(HostFeature.RESOLVE_RULES))
                .as("why paths cannot be confined")
                .isEmpty();
        BlockDevice device = new BlockDevice("sdz", DEVICE, "65:144", 1 << 20, readOnly, Optional.empty());
        ClassLoader loader = getClass().getClassLoader();
        Object devices = Proxy.newProxyInstance(loader, new Class<?>[] {BlockDevices.class}, (p, method, given) -> {
            assertThat(method.getName()).isEqualTo("find");
            return Outcome.done(device);
        });
        boolean[] made = {false};
        return (HostServices) Proxy.newProxyInstance(
                loader, new Class<?>[] {HostServices.class}, (p, method, given) -> {
                    if (method.getName().equals("blockDevices")) {
                        made[0] = true;
                        return devices;
                    } else if (made[0]) {
                        throw new IllegalStateException("goes on to " + method.getName());
                    }
                    return method.invoke(host.get(), given);
                });
    }

    private Outcome<PluginState> map(boolean readOnly, boolean protectedDevice) throws IOException {
        Path root = Files.createDirectories(temp.resolve("kubelet")).toRealPath();
        VolumeSpec spec =
                VolumeSpec.inline("data", "default", new VolumeSource("example", Document.of(Map.of("path", "/x"))));
        PodRef pod = new PodRef("default", "web", "uid-1");
        Path target = root.resolve("pods/uid-1/volumeDevices/example.com~disk/data");
        Publish record = RecordEntryPublishBuilder.builder()
                .pod(pod)
                .podVolume("data")
                .volume("pv1")
                .volumeId(new VolumeId(new PluginName("example.com/disk"), "x"))
                .deviceMap(root.resolve("plugins/example.com/disk/volumeDevices/pv1/uid-1"))
                .state(PluginState.NONE)
                .target(target)
                .phase(RecordPhase.INTENT)
                .bootId("boot-1")
                .build();
        PublishRequest request = new PublishRequest(spec, pod, target, Optional.empty(), readOnly, Occasion.INITIAL);
        HostServices host = machine(protectedDevice);
        return new DeviceWork(host, new HostDirectories(host.files(), root))
                .map(
                        RecordingCall.of(host),
                        new PublishCall(new NodeRef("n1", "node-uid"), record, request),
                        new OneDevice());
    }

    private record OneDevice() implements BlockMapping {
        @Override
        public Outcome<Path> map(OperationContext context, PublishRequest request) {
            return Outcome.done(DEVICE);
        }

        @Override
        public Outcome<Nothing> unmap(OperationContext context, VolumeId volume, PodRef pod) {
            return Outcome.done();
        }
    }

    @Test
    void aDeviceThatCanBeWrittenIsRefusedToAReader() throws IOException {
        Outcome<PluginState> outcome = map(true, false);
        assertThat(outcome.<Boolean>match(
                        done -> false,
                        refused -> refused.refusal() == Refusal.UNSUPPORTED,
                        u -> false,
                        d -> false,
                        e -> false))
                .isTrue();
        assertThat(outcome.message()).contains("/dev/sdz");
    }

    @Test
    void aProtectedDeviceIsGivenToAReaderAndAnyDeviceToAWriter() {
        assertThatThrownBy(() -> map(true, true)).hasMessageContaining("goes on to");
        assertThatThrownBy(() -> map(false, false)).hasMessageContaining("goes on to");
    }
}
