// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.host.linux.process.Tools;
import dev.mooring.storage.spi.host.HostCapabilities;
import dev.mooring.storage.spi.host.HostFeature;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** Finds out what kernel and user allow by trying, since a release number says nothing about a patched kernel or a sandbox. */
final class CapabilityProbe {
    private CapabilityProbe() {}

    static HostCapabilities probe(Kernel kernel, Tools tools) {
        Map<HostFeature, String> missing = new EnumMap<>(HostFeature.class);
        if (kernel.effectiveUser() != 0) {
            missing.put(HostFeature.ROOT, "the process does not run as root");
        }
        resolveRules(kernel).ifPresent(why -> missing.put(HostFeature.RESOLVE_RULES, why));
        mountIdentity(kernel).ifPresent(why -> missing.put(HostFeature.MOUNT_IDENTITY, why));
        atomicBind(kernel).ifPresent(why -> missing.put(HostFeature.ATOMIC_BIND, why));
        if (tools.locate("setsid").isEmpty()) {
            missing.put(HostFeature.PROCESS_GROUPS, "the tool setsid was not found");
        }
        killableUnmount(tools).ifPresent(why -> missing.put(HostFeature.KILLABLE_UNMOUNT, why));
        seLinux(kernel).ifPresent(why -> missing.put(HostFeature.SELINUX, why));
        return new HostCapabilities(missing);
    }

    /** Another umount than that of util-linux would not know the options that keep it from touching the mount. */
    private static Optional<String> killableUnmount(Tools tools) {
        Optional<Path> tool = tools.locate("umount");
        if (tool.isEmpty()) {
            return Optional.of("the tool umount was not found");
        }
        try {
            Path file = tool.get().toRealPath();
            return file.endsWith("umount")
                    ? Optional.empty()
                    : Optional.of("the tool umount is not the one of util-linux but " + file);
        } catch (IOException e) {
            return Optional.of("the tool umount cannot be looked at: " + e.getMessage());
        }
    }

    private static Optional<String> resolveRules(Kernel kernel) {
        try (Descriptor root = root(kernel)) {
            kernel.open(root.number(), Kernel.name("."), Kernel.O_PATH, 0, Kernel.STRICTLY_BELOW)
                    .close();
            return Optional.empty();
        } catch (KernelException e) {
            return Optional.of("openat2 does not work here: " + e.getMessage());
        }
    }

    private static Optional<String> mountIdentity(Kernel kernel) {
        try (Descriptor root = root(kernel)) {
            return kernel.status(root).mountId() == 0
                    ? Optional.of("the kernel does not say on which mount a file is")
                    : Optional.empty();
        } catch (KernelException e) {
            return Optional.of("statx does not work here: " + e.getMessage());
        }
    }

    /** Copies a mount out of sight and drops the copy: nothing is attached anywhere. */
    private static Optional<String> atomicBind(Kernel kernel) {
        try (Descriptor root = root(kernel);
                Descriptor copy = kernel.cloneTree(root, false)) {
            kernel.setMountAttributes(copy, 1, 0);
            return Optional.empty();
        } catch (KernelException e) {
            return Optional.of("the mount calls of Linux 5.12 do not work here: " + e.getMessage());
        }
    }

    /** The file is there as long as the kernel labels files, whether or not it enforces anything. */
    private static Optional<String> seLinux(Kernel kernel) {
        byte[] file = Kernel.name("/sys/fs/selinux/enforce");
        try (Descriptor found = kernel.open(Kernel.CURRENT_DIRECTORY, file, Kernel.O_PATH, 0)) {
            return found.number() < 0 ? Optional.of("SELinux does not answer") : Optional.empty();
        } catch (KernelException e) {
            return Optional.of("SELinux is not in use here: " + e.getMessage());
        }
    }

    private static Descriptor root(Kernel kernel) throws KernelException {
        return kernel.open(Kernel.CURRENT_DIRECTORY, Kernel.name("/"), Kernel.O_PATH, 0);
    }
}
