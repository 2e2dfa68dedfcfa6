// SPDX-License-Identifier: Apache-2.0
package com.example.shelf;

import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.host.BindOptions;
import dev.mooring.storage.spi.host.FileIdentity;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.TreeRules;
import dev.mooring.storage.spi.host.UnmountForce;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The directory of this plugin on a machine. For each volume it holds a directory with a card, which says whose it is and how large, and
 * with the data. The card is written before there can be data and removed after it: what has no card is empty or not ours.
 */
final class Shelf {
    private static final String CARD = "card";
    private static final String DATA = "data";

    private final OperationContext context;
    private final PinnedPath directory;

    private Shelf(OperationContext context, PinnedPath directory) {
        this.context = context;
        this.directory = directory;
    }

    static <T> Outcome<T> with(OperationContext context, Function<Shelf, Outcome<T>> action) {
        return context.host()
                .stateDirectory(ShelfPlugin.NAME)
                .then(path -> context.host().files().openOrMake(path, LinkRule.REFUSE, FileKind.DIRECTORY, 0700))
                .then(made -> using(made.path(), directory -> action.apply(new Shelf(context, directory))));
    }

    private static <T> Outcome<T> using(PinnedPath opened, Function<PinnedPath, Outcome<T>> action) {
        try (opened) {
            return action.apply(opened);
        }
    }

    /** After a first effect the answer may not say that nothing was changed. */
    private static <T> Outcome<T> begun(Outcome<T> outcome) {
        return outcome.match(
                done -> outcome,
                refused -> Outcome.uncertain(refused.why()),
                uncertain -> outcome,
                deferred -> Outcome.uncertain(deferred.why()),
                elsewhere -> outcome);
    }

    Outcome<Nothing> make(String name, String claim, Quantity size) {
        return directory.makeDirectory(name, 0700).then(made -> begun(using(made.path(), volume -> card(volume)
                .then(card -> card.isEmpty()
                        ? write(volume, claim, size)
                        : card.get().get(0).equals(claim)
                                ? Outcome.done()
                                : Outcome.refused(Refusal.INCOMPATIBLE, name + " belongs to another claim"))
                .then(nothing -> volume.makeDirectory(DATA, 0777))
                .then(data -> using(data.path(), path -> Outcome.done())))));
    }

    /** Claim and size; empty if there is no card. */
    private static Outcome<Optional<List<String>>> card(PinnedPath volume) {
        return volume.readFile(CARD, 4096)
                .map(read -> read.map(bytes -> List.of(new String(bytes, StandardCharsets.UTF_8).split(" "))));
    }

    private static Outcome<Nothing> write(PinnedPath volume, String claim, Quantity size) {
        return volume.writeFile(CARD, (claim + " " + size).getBytes(StandardCharsets.UTF_8), 0600);
    }

    /** Done if there is nothing of that name. */
    private Outcome<Nothing> ifThere(PinnedPath parent, String name, Function<PinnedPath, Outcome<Nothing>> action) {
        Outcome<PinnedPath> found = parent.child(name);
        boolean absent = found.match(
                a -> false, refused -> refused.refusal() == Refusal.NOT_FOUND, c -> false, d -> false, e -> false);
        return absent ? Outcome.done() : found.then(path -> using(path, action));
    }

    Outcome<Nothing> remove(String name) {
        return ifThere(directory, name, volume -> card(volume)
                        .then(card -> card.isPresent() ? clear(volume) : Outcome.done()))
                // refuses if something is in it: a directory with data and without a card is not ours
                .then(nothing -> begun(directory.removeDirectory(name)));
    }

    private Outcome<Nothing> clear(PinnedPath volume) {
        return begun(ifThere(volume, DATA, data -> data.facts()
                        .then(facts -> context.host().files().empty(context, data, TreeRules.all(facts.identity())))
                        .map(emptied -> Nothing.NOTHING))
                .then(nothing -> volume.removeDirectory(DATA))
                .then(nothing -> volume.removeFile(CARD)));
    }

    private <T> Outcome<T> in(String path, Function<PinnedPath, Outcome<T>> action) {
        return directory.child(path).then(opened -> using(opened, action));
    }

    Outcome<Nothing> show(String name, Path target, boolean readOnly) {
        return in(name + "/" + DATA, data -> context.host().mounts().bind(data, target, BindOptions.PLAIN.readOnly(readOnly)))
                .map(entry -> Nothing.NOTHING);
    }

    /** Unmounts what shows this volume's data, and nothing else. Needs no state: it looks. */
    Outcome<Nothing> hide(VolumeId volume, Path target) {
        return context.host().mounts().table().then(table -> {
            var mounted = table.top(target);
            Outcome<MountExpectation> expected = mounted.isEmpty()
                    ? Outcome.done(MountExpectation.nothing()) // removes the mount point alone
                    : context.host().files().open(target, LinkRule.REFUSE).then(shown -> using(shown, here -> here.facts()
                            .then(facts -> isOurs(volume, facts.identity()))
                            .map(ours -> MountExpectation.of(mounted.get(), false))));
            return expected.then(mount -> context.host().mounts().unmount(context, target, mount, UnmountForce.NONE));
        });
    }

    private Outcome<Nothing> isOurs(VolumeId volume, FileIdentity shown) {
        return in(Handle.parse(volume.backend()).map(Handle::name).orElse("") + "/" + DATA, PinnedPath::facts)
                .then(facts -> facts.identity().equals(shown)
                        ? Outcome.done()
                        : Outcome.refused(Refusal.IN_USE, "something else is mounted for " + volume));
    }

    Outcome<Quantity> grow(String name, Quantity wanted) {
        return in(name, volume -> card(volume).then(card -> {
            if (card.isEmpty()) {
                return Outcome.refused(Refusal.NOT_FOUND, name + " has no card");
            }
            Quantity size = Quantity.parse(card.get().get(1));
            return size.compareTo(wanted) >= 0
                    ? Outcome.done(size)
                    : write(volume, card.get().get(0), wanted).map(nothing -> wanted);
        }));
    }
}
