// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.demo;

import dev.mooring.storage.model.IscsiSourceBuilder;
import dev.mooring.storage.model.NfsSource;
import dev.mooring.storage.model.VolumeSource;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A server inside of the guest, and the volume that it serves. */
@SuppressWarnings("ImmutableEnumChecker") // lists and sources are unmodifiable, which their types do not tell
public enum DemoServer {
    /** A directory of the kernel's NFS server. */
    NFS(
            "kubernetes.io~nfs",
            "a directory of an NFS server",
            List.of(List.of("services", "nfs-start", "/srv/nfs")),
            new NfsSource("127.0.0.1", "/srv/nfs", false).toSource()),
    /** A unit of the kernel's iSCSI target. */
    ISCSI(
            "kubernetes.io~iscsi",
            "a unit of an iSCSI target",
            List.of(
                    List.of("services", "iscsi-start"),
                    List.of("services", "target-start", "iqn.2026-01.dev.mooring:demo"),
                    List.of("services", "target-lun", "iqn.2026-01.dev.mooring:demo", "0", "/tmp/disk", "128M")),
            IscsiSourceBuilder.builder()
                    .targetPortal("127.0.0.1:3260")
                    .portals(List.of())
                    .iqn("iqn.2026-01.dev.mooring:demo")
                    .lun(0)
                    .fsType("ext4")
                    .iscsiInterface("")
                    .initiatorName("")
                    .build()
                    .toSource());

    private final String directory;
    private final String description;
    private final List<List<String>> commands;
    private final VolumeSource source;

    DemoServer(String directory, String description, List<List<String>> commands, VolumeSource source) {
        this.directory = directory;
        this.description = description;
        this.commands = commands;
        this.source = source;
    }

    /** The server of a name; empty if there is none. */
    public static Optional<DemoServer> named(String name) {
        return Arrays.stream(values())
                .filter(server -> server.argument().equals(name))
                .findFirst();
    }

    /** As it is written on the command line. */
    String argument() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The directory of its plugin below a pod's volumes. */
    String directory() {
        return directory;
    }

    String description() {
        return description;
    }

    /** What starts it. */
    List<List<String>> commands() {
        return commands;
    }

    VolumeSource source() {
        return source;
    }
}
