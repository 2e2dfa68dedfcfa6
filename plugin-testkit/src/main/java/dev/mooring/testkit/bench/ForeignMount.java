// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.bench;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.BindOptions;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.Mounts;
import dev.mooring.storage.spi.host.UnmountForce;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** Something that is no volume, mounted by a program that does not know of the plugin. */
public final class ForeignMount {
    private final VolumeLife life;
    private final MountEntry entry;

    private ForeignMount(VolumeLife life, MountEntry entry) {
        this.life = life;
        this.entry = entry;
    }

    /** Mounts it; where the machine cannot, the test is not for it. */
    public static ForeignMount at(VolumeLife life, Path target) {
        Mounts mounts = life.bench().machine().host().mounts();
        Outcome<MountEntry> mounted = life.bench()
                .machine()
                .host()
                .files()
                .open(life.bench().foreignPlace(), LinkRule.REFUSE)
                .then(held -> {
                    try (held) {
                        return mounts.bind(held, target, BindOptions.PLAIN);
                    }
                });
        Assumptions.assumeFalse(
                mounted.isRefused(Refusal.UNSUPPORTED), () -> "this machine mounts nothing: " + Answers.text(mounted));
        return new ForeignMount(life, needed(mounted, "mount something at " + target));
    }

    /** Takes away whatever is mounted at a target, and mounts it there. */
    public static ForeignMount insteadOf(VolumeLife life, Path target) {
        life.bench().mountAt(target).ifPresent(there -> unmount(life, there));
        return at(life, target);
    }

    /** Whether it is what is seen at the target. */
    public boolean isThere() {
        return life.bench()
                .mountAt(entry.mountPoint())
                .filter(now -> now.id() == entry.id())
                .isPresent();
    }

    /** Unmounts it. */
    public void remove() {
        unmount(life, entry);
    }

    private static void unmount(VolumeLife life, MountEntry entry) {
        Mounts mounts = life.bench().machine().host().mounts();
        needed(
                mounts.unmount(
                        life.context("unmount by others"),
                        entry.mountPoint(),
                        MountExpectation.of(entry, true),
                        UnmountForce.NONE),
                "unmount " + entry);
    }

    private static <T> T needed(Outcome<T> outcome, String what) {
        return outcome.result()
                .orElseThrow(() -> new IllegalStateException("the kit cannot " + what + ": " + Answers.text(outcome)));
    }
}
