// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller.story;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A difference between Kubernetes 1.20 and Mooring that is meant, with the row of docs/inside/parity.md or the version of Kubernetes that it
 * comes from. Whatever no constant here knows is a fault.
 */
enum DeclaredDifference {
    /** C: since 1.23 the provisioner is named by an annotation without beta, beside the old one. */
    PROVISIONER_ANNOTATION(false) {
        @Override
        boolean explains(StoryDifference one, Seen seen) {
            return one.field().equals("metadata.annotations.volume.kubernetes.io/storage-provisioner")
                    && one.kubernetes().isEmpty();
        }
    },
    /** Since 1.23 messages of errors begin with a small letter. */
    SMALL_LETTER(false) {
        @Override
        boolean explains(StoryDifference one, Seen seen) {
            return one.field().equals("status.message")
                    && one.kubernetes().isPresent()
                    && one.kubernetes().get().equalsIgnoreCase(one.mooring().orElse(""));
        }
    },
    /** R3: since 1.21 a CSI volume that names no provisioner is left to its driver, which the phase Released tells. */
    DELETED_BY_ITS_DRIVER(false) {
        @Override
        boolean explains(StoryDifference one, Seen seen) {
            return seen.isReclaimed(one, "csi") && seen.phases(one, "Failed", "Released");
        }
    },
    /** R3: Kubernetes has no plugin that destroys local volumes; here the agent of their node is asked for it. */
    DESTROYED_ON_ITS_NODE(false) {
        @Override
        boolean explains(StoryDifference one, Seen seen) {
            return (seen.isReclaimed(one, "local") || seen.isReclaimed(one, "hostPath"))
                    && seen.phases(one, "Failed", "Released");
        }
    },
    /** R3: what is not destroyed is not destroyed on both sides; each plugin says why in its own words. */
    WORDS_OF_A_PLUGIN(false) {
        @Override
        boolean explains(StoryDifference one, Seen seen) {
            return one.field().equals("status.message")
                    && (seen.isReclaimed(one, "nfs")
                            || seen.isReclaimed(one, "hostPath")
                            || seen.isReclaimed(one, "local"))
                    && seen.phases(one, "Failed", "Failed");
        }
    },
    /** D11: another reason to fail is written into the status, also if the volume had failed before. */
    FAILED_FOR_ANOTHER_REASON(false) {
        @Override
        boolean explains(StoryDifference one, Seen seen) {
            return one.field().equals("status.message")
                    && seen.phases(one, "Failed", "Failed")
                    && seen.was(one.object(), "persistentVolumeReclaimPolicy");
        }
    },
    /** D7: a claim that lost its volume is bound again when the volume names it without a uid. */
    LOST_AND_BOUND_AGAIN(true) {
        @Override
        boolean explains(StoryDifference one, Seen seen) {
            return seen.claims()
                    .filter(claim ->
                            seen.kubernetes().at(claim + ".status.phase").equals(Optional.of("Lost")))
                    .filter(claim -> seen.mooring().at(claim + ".status.phase").equals(Optional.of("Bound")))
                    .filter(claim -> seen.namesWithoutUid(seen.volumeOf(claim), claim))
                    .anyMatch(
                            claim -> one.object().equals(claim) || one.object().equals(seen.volumeOf(claim)));
        }
    },
    /** §1.3: a claim that is being deleted gets no volume any more, which would be released without ever having carried data. */
    DELETED_CLAIM_IS_NOT_BOUND(true) {
        @Override
        boolean explains(StoryDifference one, Seen seen) {
            return seen.claims()
                    .filter(claim -> seen.mooring()
                            .at(claim + ".metadata.deletionTimestamp")
                            .isPresent())
                    .filter(claim ->
                            seen.kubernetes().at(claim + ".status.phase").equals(Optional.of("Bound")))
                    .filter(claim -> seen.mooring().at(claim + ".status.phase").equals(Optional.of("Pending")))
                    .anyMatch(claim -> one.object().equals(claim)
                            || one.object()
                                    .equals("pv/"
                                            + seen.kubernetes()
                                                    .at(claim + ".spec.volumeName")
                                                    .orElse("")));
        }
    },
    /** D6: no claim gets a volume whose storage may be in work, also when its claimRef is taken away. */
    RECLAIMED_WHATEVER_IT_SAYS(true) {
        @Override
        boolean explains(StoryDifference one, Seen seen) {
            return one.field().equals("status.phase")
                    && seen.mooring()
                            .at(one.object() + ".metadata.annotations.mooring.dev/reclaiming")
                            .isPresent()
                    && seen.kubernetes().at(one.object() + ".spec.claimRef.uid").isEmpty();
        }
    },
    /** D18: of several claims that wait the largest request gets a volume that comes; with Kubernetes whichever is looked at first. */
    ANOTHER_OF_SEVERAL_CLAIMS(true) {
        @Override
        boolean explains(StoryDifference one, Seen seen) {
            return seen.volumes()
                    .filter(volume -> seen.isBound(seen.kubernetes(), volume) && seen.isBound(seen.mooring(), volume))
                    .filter(volume ->
                            !seen.ownerOf(seen.kubernetes(), volume).equals(seen.ownerOf(seen.mooring(), volume)))
                    .anyMatch(volume -> one.object().equals(volume)
                            || one.object().equals(seen.ownerOf(seen.kubernetes(), volume))
                            || one.object().equals(seen.ownerOf(seen.mooring(), volume)));
        }
    },
    /** §1.9: a volume that is being deleted stays until its storage is destroyed, which here its node is asked for. */
    STORAGE_BEFORE_OBJECT(true) {
        @Override
        boolean explains(StoryDifference one, Seen seen) {
            return !seen.kubernetes().has(one.object())
                    && seen.mooring()
                            .at(one.object() + ".metadata.deletionTimestamp")
                            .isPresent()
                    && seen.mooring()
                            .at(one.object() + ".metadata.annotations.mooring.dev/reclaiming")
                            .isPresent();
        }
    },
    /** D9: a volume that is being deleted is held by the claim that names it, whatever its phase and its claimRef say. */
    HELD_BY_ITS_CLAIM(true) {
        @Override
        boolean explains(StoryDifference one, Seen seen) {
            return seen.claims()
                    .filter(claim -> seen.mooring().at(claim + ".status.phase").equals(Optional.of("Bound")))
                    .filter(claim -> seen.mooring()
                            .at(seen.volumeOf(claim) + ".metadata.deletionTimestamp")
                            .isPresent())
                    .filter(claim -> !seen.kubernetes().has(seen.volumeOf(claim)))
                    .anyMatch(
                            claim -> one.object().equals(claim) || one.object().equals(seen.volumeOf(claim)));
        }
    },
    /** A claimRef that names no claim breaks a rule: nothing is done about such a volume, and it is told so. */
    NAMES_NO_CLAIM(false) {
        @Override
        boolean explains(StoryDifference one, Seen seen) {
            return one.field().startsWith("status.")
                    && seen.mooring().at(one.object() + ".spec.claimRef").isPresent();
        }
    },
    /** What Mooring's controllers note for themselves. */
    OWN_MARKS(false) {
        @Override
        boolean explains(StoryDifference one, Seen seen) {
            return one.field().startsWith("metadata.annotations.mooring.dev/")
                    && one.kubernetes().isEmpty();
        }
    };

    private final boolean parts;

    DeclaredDifference(boolean parts) {
        this.parts = parts;
    }

    /** Whether the two sides go different ways from there, so that the story ends. */
    boolean parts() {
        return parts;
    }

    abstract boolean explains(StoryDifference one, Seen seen);

    /** The first that explains it. */
    static Optional<DeclaredDifference> of(StoryDifference one, Seen seen) {
        for (DeclaredDifference each : values()) {
            if (each.explains(one, seen)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    /**
     * What both sides show, before and after a step.
     *
     * @param steps what was done so far, the last of them just now
     */
    record Seen(StoryState kubernetes, StoryState mooring, List<StoryStep> steps) {
        /** Whether a difference is in the status of a volume of a source that is to be destroyed, on both sides. */
        boolean isReclaimed(StoryDifference one, String source) {
            boolean status = one.field().equals("status.phase") || one.field().equals("status.message");
            return status
                    && List.of(kubernetes, mooring).stream()
                            .allMatch(side -> side.values().keySet().stream()
                                            .anyMatch(path -> path.startsWith(one.object() + ".spec." + source + "."))
                                    && side.at(one.object() + ".spec.persistentVolumeReclaimPolicy")
                                            .equals(Optional.of("Delete")));
        }

        /** Whether a user has patched a part of an object that was there, or written its status. */
        boolean was(String object, String patched) {
            return steps.stream()
                    .filter(step -> step.method().equals("PATCH"))
                    .filter(step -> object.equals(step.kind().shortName() + "/" + step.name()))
                    .anyMatch(step ->
                            step.subresource().equals(patched) || step.body().contains("\"" + patched + "\""));
        }

        /** The volumes that are there on both sides, such as {@code pv/v1}. */
        Stream<String> volumes() {
            return Stream.of("pv/v1", "pv/v2", "pv/v3").filter(volume -> kubernetes.has(volume) && mooring.has(volume));
        }

        /** The claim that a volume names on a side. */
        String ownerOf(StoryState side, String volume) {
            return "pvc/" + side.at(volume + ".spec.claimRef.name").orElse("");
        }

        /** Whether a volume and the claim that it names are bound to each other on a side. */
        boolean isBound(StoryState side, String volume) {
            return side.at(volume + ".status.phase").equals(Optional.of("Bound"))
                    && side.at(ownerOf(side, volume) + ".status.phase").equals(Optional.of("Bound"));
        }

        /** The claims that are there on both sides, such as {@code pvc/c1}. */
        Stream<String> claims() {
            return Stream.of("pvc/c1", "pvc/c2").filter(claim -> kubernetes.has(claim) && mooring.has(claim));
        }

        /** The volume that Mooring shows in a claim. */
        String volumeOf(String claim) {
            return "pv/" + mooring.at(claim + ".spec.volumeName").orElse("");
        }

        /** Whether a volume is for a claim, with kube-controller-manager, and names no uid. */
        boolean namesWithoutUid(String volume, String claim) {
            return kubernetes.at(volume + ".spec.claimRef.name").equals(kubernetes.at(claim + ".metadata.name"))
                    && kubernetes.at(volume + ".spec.claimRef.uid").isEmpty();
        }

        /** Whether the object of a difference is in these phases. */
        boolean phases(StoryDifference one, String there, String here) {
            String path = one.object() + ".status.phase";
            return kubernetes.at(path).equals(Optional.of(there))
                    && mooring.at(path).equals(Optional.of(here));
        }
    }
}
