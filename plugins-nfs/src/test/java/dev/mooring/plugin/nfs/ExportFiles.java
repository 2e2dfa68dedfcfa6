// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.HostFiles;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountTable;
import dev.mooring.storage.spi.host.PinnedPath;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Optional;

/** Real files, but behind a mount point is the export. */
final class ExportFiles {
    private ExportFiles() {}

    static HostFiles of(FakeHost host) {
        return (HostFiles) Proxy.newProxyInstance(
                ExportFiles.class.getClassLoader(), new Class<?>[] {HostFiles.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("open")) {
                        return open(host, (Path) arguments[0], (LinkRule) arguments[1]);
                    }
                    try {
                        return method.invoke(host.real.files(), arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static Outcome<PinnedPath> open(FakeHost host, Path path, LinkRule links) {
        Optional<MountEntry> mount = new MountTable(host.table).top(path);
        Path behind = mount.flatMap(entry -> NfsSources.parse(entry.source()))
                .map(export -> host.directoryOf(export.path()))
                .orElse(path);
        Outcome<PinnedPath> opened = host.real.files().open(behind, links);
        return mount.filter(MountEntry::readOnly).isPresent() ? opened.map(ExportFiles::readOnly) : opened;
    }

    /** As far as writing files goes. */
    private static PinnedPath readOnly(PinnedPath real) {
        return (PinnedPath) Proxy.newProxyInstance(
                ExportFiles.class.getClassLoader(), new Class<?>[] {PinnedPath.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("writeFile")) {
                        return Outcome.refused(Refusal.DENIED, "the mount is read-only");
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
