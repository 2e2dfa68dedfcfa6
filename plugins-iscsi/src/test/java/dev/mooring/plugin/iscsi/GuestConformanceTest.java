// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import static dev.mooring.plugin.iscsi.IscsiMachine.attempt;
import static dev.mooring.plugin.iscsi.IscsiMachine.service;
import static dev.mooring.plugin.iscsi.Volumes.IQN;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.IscsiSource;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.SecretValue;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.testkit.PluginConformance;
import dev.mooring.testkit.host.Machine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;

/** The contract with plugins, against the kernel's own target, with CHAP. */
@Tag("guest")
@Tag("kit")
class GuestConformanceTest implements PluginConformance {
    private static final Map<String, String> CHAP = Map.of(
            "node.session.auth.username", "someone",
            "node.session.auth.password", "some-password");

    private static final int RAW = 100;

    private final Set<Integer> units = new HashSet<>();

    @Override
    public StoragePlugin plugin(Machine machine) {
        try {
            // a lock that a dead agent left is taken over after a minute, which is tested elsewhere
            Files.deleteIfExists(Path.of("/run/lock/iscsi/lock.write"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new IscsiPlugin();
    }

    @Override
    public Machine machine() {
        dev.mooring.plugin.iscsi.IscsiMachine guest = new dev.mooring.plugin.iscsi.IscsiMachine();
        service("lio-start", IQN, "someone", "some-password");
        units.clear();
        return new Machine(guest.base, guest.host, () -> end(guest));
    }

    /** A test that failed may have left anything. */
    private static void end(dev.mooring.plugin.iscsi.IscsiMachine guest) {
        List<MountEntry> mounts = guest.mounts();
        for (int i = mounts.size() - 1; i >= 0; i--) {
            attempt("umount", mounts.get(i).mountPoint().toString());
        }
        attempt("iscsiadm", "-m", "node", "--logout");
        attempt("iscsiadm", "-m", "node", "-o", "delete");
        service("lio-stop", IQN);
    }

    /** To log in to a target and to find its disks takes a second and more. */
    @Override
    public boolean sharesMachine() {
        return true;
    }

    @Override
    public VolumeSource existing(Machine machine, int number) {
        return unit(number);
    }

    /** A unit of its own: no file system is made on a raw device. */
    @Override
    public Optional<VolumeSource> existingDevice(Machine machine, int number) {
        return Optional.of(unit(RAW + number));
    }

    private VolumeSource unit(int number) {
        if (units.add(number)) {
            service("lio-lun", IQN, Integer.toString(number), "/tmp/disk" + number, "64M");
        }
        return Volumes.withChap(Volumes.source(IQN, number));
    }

    @Override
    public void grow(Machine machine, VolumeSource source, Quantity size) {
        long unit = IscsiSource.of(source).orElseThrow().lun();
        service("lio-grow", "/tmp/disk" + unit, Long.toString(size.longValue()));
    }

    /** By the keys that are registered at the target. */
    @Override
    public Optional<Boolean> mayWrite(Machine machine, VolumeId volume, NodeRef node) {
        return dev.mooring.plugin.iscsi.IscsiMachine.names("/sys/block").stream()
                .filter(name -> name.startsWith("sd"))
                .map(name -> attempt("sg_persist", "-n", "-i", "-k", "/dev/" + name)[1])
                .map(keys -> keys.contains(Reservations.key(node.uid())))
                .findFirst();
    }

    @Override
    public Quantity size() {
        return Quantity.parse("64Mi");
    }

    @Override
    public Secrets secrets() {
        return secret -> Optional.of(SecretValue.all(CHAP));
    }

    /** Each call takes a second or more here; IscsiCrashTest tries every point. */
    @Override
    public int points() {
        return 1;
    }

    @Override
    public List<VolumeSource> faultySources() {
        return List.of(
                Volumes.source("not-a-name", 0).toSource(),
                Volumes.source(IQN, 256).toSource(),
                new VolumeSource("iscsi", Document.of(Map.of("targetPortal", "127.0.0.1"))));
    }

    @Override
    public List<String> backendInventory(Machine machine) {
        return dev.mooring.plugin.iscsi.IscsiMachine.traces();
    }
}
