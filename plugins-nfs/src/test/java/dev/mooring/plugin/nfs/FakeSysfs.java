// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.Sysfs;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The two files of the kernel that are read. */
record FakeSysfs(FakeHost host) implements Sysfs {
    @Override
    public Outcome<List<String>> list(Path directory) {
        return Outcome.done(List.of());
    }

    @Override
    public Outcome<Optional<String>> read(Path file) {
        return Outcome.done(
                switch (file.toString()) {
                    case "/proc/sys/kernel/random/boot_id" -> Optional.of(host.boot);
                    case "/proc/fs/nfsfs/volumes" -> Optional.of(volumes());
                    default -> Optional.empty();
                });
    }

    private String volumes() {
        return "NV SERVER   PORT DEV          FSID                              FSC\n"
                + host.draining.stream()
                        .map(device -> "v4 7f000001  801 " + device + "         6663:0                            no ")
                        .collect(Collectors.joining("\n"));
    }

    @Override
    public Outcome<Optional<Path>> resolve(Path path) {
        return Outcome.done(Optional.empty());
    }

    @Override
    public Outcome<Nothing> write(OperationContext context, Path file, String text) {
        return Outcome.refused(Refusal.UNSUPPORTED, "no test writes here");
    }
}
