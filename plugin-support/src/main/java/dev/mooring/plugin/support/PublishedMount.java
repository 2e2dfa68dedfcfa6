// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.support;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.FileIdentity;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.MountExpectationBuilder;
import dev.mooring.storage.spi.host.UnmountForce;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * A mount that a plugin made for a pod, as it is remembered in the {@link PluginState}, and its end. The kernel gives the number of a mount
 * that has gone to the next one. So where the root is another than the remembered one, the number proves nothing: what is shown does
 * (semantics/plugins §1.4). Of a directory of an NFS mount only the device is of use: there the kernel calls every root {@code /}.
 *
 * <p>The states have the schemas 1 and 4. A plugin that has states of another form gives them other schemas.
 *
 * @param id the mount's number
 * @param device the file system's number, as in {@link MountEntry#device}
 * @param shown which file or directory is shown; empty if the file system is the volume's own
 * @param root what of the file system is shown, which changes when that is renamed
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PublishedMount(int id, String device, Optional<FileIdentity> shown, String root) {
    private static final int SCHEMA = 1;
    private static final int SHOWN_SCHEMA = 4;

    /** The state to remember of a mount whose file system is the volume's own. */
    public static PluginState state(MountEntry entry) {
        return new PluginState(SCHEMA, entry.id() + " " + entry.device() + " " + entry.root());
    }

    /**
     * The state to remember of a mount of a part of a file system that holds other things too.
     *
     * @param shown the identity of what the mount shows
     */
    public static PluginState state(MountEntry entry, FileIdentity shown) {
        return new PluginState(SHOWN_SCHEMA, entry.id() + " " + entry.device() + " " + shown + " " + entry.root());
    }

    /** Reads a state; CORRUPT if it is of another form. */
    public static Outcome<PublishedMount> read(PluginState state) {
        // the root is last, since it may contain blanks
        boolean plain = state.schema() == SCHEMA;
        String[] parts = state.content().split(" ", plain ? 3 : 4);
        Optional<FileIdentity> shown = plain || parts.length != 4 ? Optional.empty() : FileIdentity.parse(parts[2]);
        boolean known = plain ? parts.length == 3 : state.schema() == SHOWN_SCHEMA && shown.isPresent();
        if (!known || !parts[0].matches("\\d{1,9}")) {
            return Outcome.refused(Refusal.CORRUPT, "the recorded state is not one of this plugin: " + state.content());
        }
        return Outcome.done(new PublishedMount(Integer.parseInt(parts[0]), parts[1], shown, parts[parts.length - 1]));
    }

    /**
     * Unmounts what a state tells of.
     *
     * @param target where it is mounted
     * @param state what was remembered; {@link PluginState#NONE} if the answer of the call that mounted was lost
     * @param recognising finds out what may be unmounted if nothing is remembered
     * @return done if it is gone, or was; IN_USE if something else is mounted there, which stays
     */
    public static Outcome<Nothing> unmount(
            OperationContext context, Path target, PluginState state, Supplier<Outcome<MountExpectation>> recognising) {
        return state.equals(PluginState.NONE)
                ? recognising.get().then(expected -> unmount(context, target, expected))
                : read(state).then(published -> published.unmount(context, target));
    }

    /** IN_USE: what is mounted in the volume's place cannot be shown to be the volume's. */
    public static <T> Outcome<T> unproven(MountEntry entry) {
        return Outcome.refused(Refusal.IN_USE, "nothing proves that this is the volume's mount: " + entry);
    }

    private Outcome<Nothing> unmount(OperationContext context, Path target) {
        Outcome<Nothing> gone = unmount(context, target, expectation());
        return shown.isPresent() && gone.isRefused(Refusal.IN_USE)
                ? renamed(context, target)
                        .then(found -> found.map(entry -> unmount(context, target, MountExpectation.of(entry, true)))
                                .orElse(gone))
                : gone;
    }

    private static Outcome<Nothing> unmount(OperationContext context, Path target, MountExpectation expected) {
        return context.host().mounts().unmount(context, target, expected, UnmountForce.NONE);
    }

    /** What may be unmounted without a look at what it shows. */
    private MountExpectation expectation() {
        return MountExpectationBuilder.builder()
                .device(device)
                .root(root)
                .id(shown.isPresent() ? OptionalInt.empty() : OptionalInt.of(id))
                .tree(true)
                .build();
    }

    /** What is mounted there, if it shows what was published under another name. */
    private Outcome<Optional<MountEntry>> renamed(OperationContext context, Path target) {
        return Directories.use(
                context.host().files().open(target, LinkRule.FOLLOW),
                opened -> opened.facts()
                        .then(facts -> context.host()
                                .mounts()
                                .entryOf(opened)
                                .map(entry -> Optional.of(entry)
                                        .filter(this::mayBeRenamed)
                                        .filter(same -> shown.filter(facts.identity()::equals)
                                                .isPresent()))));
    }

    /** Whether a mount can only be told from a later one of the same number by what it shows, since that has been renamed. */
    private boolean mayBeRenamed(MountEntry entry) {
        return entry.id() == id
                && entry.device().equals(device)
                && !entry.root().equals(root);
    }
}
