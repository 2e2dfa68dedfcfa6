// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.spi.host.HostFiles;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountTable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Optional;

/** Real files, but behind a mount point is the export. */
final class FakeFiles {
    private FakeFiles() {}

    static HostFiles of(FakeHost host) {
        return (HostFiles) Proxy.newProxyInstance(
                FakeFiles.class.getClassLoader(), new Class<?>[] {HostFiles.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("open")) {
                        return host.real.files().open(behind(host, (Path) arguments[0]), (LinkRule) arguments[1]);
                    }
                    try {
                        return method.invoke(host.real.files(), arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static Path behind(FakeHost host, Path path) {
        Optional<MountEntry> mount = new MountTable(host.table).top(path);
        return mount.flatMap(entry -> NfsSources.parse(entry.source()))
                .map(export -> host.directoryOf(export.path()))
                .orElse(path);
    }
}
