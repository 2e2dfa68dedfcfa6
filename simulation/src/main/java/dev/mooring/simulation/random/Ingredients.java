// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.simulation.invariant.WorldView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What there is in some worlds only. A seed decides it apart from everything else, so that a world without an ingredient is what it would
 * be if there were no such thing.
 *
 * @param farDisks whether some disks are those of a driver that an external attacher serves
 * @param farStorage whether an external provisioner and resizer make storage of that driver, which is attached from outside, too
 * @param ephemeral whether pods have claims that are made for them and go with them
 * @param deadMachine whether one machine stays down when faults end, with a taint that says so
 * @param readers whether pods ask for claims only to read
 * @param lostNodes whether Nodes are deleted, and others take their names
 * @param pauses whether the leader's process is stopped and goes on in another's term
 * @param contents whether some disks hold data from the beginning, and what is done with devices goes wrong
 * @param growth whether claims of ours are made larger often, also by nodes, and what is done for it goes wrong
 * @param attributes whether there are classes of attributes, and claims that name them
 * @param despair whether a user removes finalizers from objects that do not go, and forces attachments away
 */
record Ingredients(
        boolean farDisks,
        boolean farStorage,
        boolean ephemeral,
        boolean deadMachine,
        boolean readers,
        boolean lostNodes,
        boolean pauses,
        boolean contents,
        boolean growth,
        boolean attributes,
        boolean despair) {
    private static final long APART = 0x5851f42d4c957f2dL;

    /** What there is in the world of a seed. */
    static Ingredients of(long seed) {
        Chance chance = new Chance(seed * APART + 1);
        boolean farDisks = chance.oneIn(3);
        boolean farStorage = chance.oneIn(4);
        return new Ingredients(
                farDisks,
                farStorage,
                chance.oneIn(4),
                chance.oneIn(4),
                chance.oneIn(4),
                chance.oneIn(3),
                chance.oneIn(4),
                chance.oneIn(4),
                chance.oneIn(3),
                chance.oneIn(4),
                chance.oneIn(4));
    }

    /** Every other disk, the one of the races among them. */
    private boolean isFar(int disk) {
        return farDisks && disk % 2 == 1;
    }

    /** What a volume's spec has besides what every volume has. */
    Map<String, Object> source(int disk) {
        if (!isFar(disk) && !isFull(disk)) {
            return Texts.map();
        }
        Map<String, Object> csi = Texts.map("driver", driver(disk), "volumeHandle", "vol-" + disk);
        if (isFull(disk)) {
            csi.put("volumeAttributes", Texts.map("holds", "ext4"));
        }
        return Texts.map("csi", csi);
    }

    /** Whether a disk holds data before the world begins, as the disk of the races does. */
    private boolean isFull(int disk) {
        return contents && disk % 4 == 1;
    }

    /** The driver of a disk. */
    String driver(int disk) {
        return isFar(disk) ? Texts.FAR : Texts.DRIVER;
    }

    /** The driver of some disk. */
    String driver(Chance chance) {
        return farDisks && chance.oneIn(2) ? Texts.FAR : Texts.DRIVER;
    }

    /** The processes besides controllers and agents. */
    List<String> sidecars() {
        if (farStorage) {
            return List.of("attacher", "provisioner", "resizer");
        }
        return farDisks ? List.of("attacher") : List.of();
    }

    /** Whether there is a driver that programs of others serve. */
    boolean far() {
        return farDisks || farStorage;
    }

    /** What is done in worlds with an ingredient only. */
    List<ActSource> acts(List<String> nodes) {
        List<ActSource> acts = new ArrayList<>();
        if (farStorage) {
            acts.add(new FarStorageActs());
        }
        if (ephemeral) {
            acts.add(new EphemeralActs(nodes, this));
        }
        if (lostNodes) {
            acts.add(new NodeActs(nodes));
        }
        if (pauses) {
            acts.add(new PauseActs(nodes, this));
        }
        if (contents) {
            acts.add(new ContentActs(nodes, this));
        }
        if (growth) {
            acts.add(new GrowthActs(nodes));
        }
        if (attributes) {
            acts.add(new AttributesActs(nodes));
        }
        if (despair) {
            acts.add(new DesperateActs(nodes, this));
        }
        if (readers) {
            acts.add((chance, world) -> reader(chance, nodes, world));
        }
        return acts;
    }

    /** A pod that only reads, often beside one that writes. */
    private static Optional<Act> reader(Chance chance, List<String> nodes, WorldView world) {
        return Scenes.any(chance, world.claims()).map(claim -> {
            String namespace = claim.metadata().namespace();
            Map<String, Object> source = Texts.map("claimName", claim.metadata().name(), "readOnly", true);
            return Act.apply(Texts.podWith(
                    namespace,
                    namespace + "-reader-" + chance.below(3),
                    chance.oneIn(4) ? "" : chance.pick(nodes),
                    List.of(Texts.map("name", "data-0", "persistentVolumeClaim", source))));
        });
    }
}
