// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.mooring.binder.index.MatchOracle.Rule;
import dev.mooring.binder.index.ModelRun.Operation;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The comparison of index and specification finds what it is there to find: small errors, in either. */
@Tag("long")
class PlantedErrorTest {
    private static final int OPERATIONS = 25_000;
    private static final int VOLUMES = 300;

    @ParameterizedTest
    @EnumSource
    void findsARuleThatIsForgotten(Rule forgotten) {
        finds(forgotten + " forgotten", new MatchOracle(false) {
            @Override
            boolean excludes(Rule rule, PersistentVolume volume, PersistentVolumeClaim claim, MatchOptions options) {
                return rule != forgotten && super.excludes(rule, volume, claim, options);
            }
        });
    }

    static Stream<Arguments> wrongOrders() {
        return Stream.of(
                Arguments.of("capacity above instead of at least the request (F4)", new MatchOracle(false) {
                    @Override
                    boolean isSufficient(BigDecimal capacity, BigDecimal request) {
                        return capacity.compareTo(request) > 0;
                    }
                }),
                Arguments.of("capacity rounded up to whole bytes (T10)", new MatchOracle(false) {
                    @Override
                    boolean isSufficient(BigDecimal capacity, BigDecimal request) {
                        return capacity.setScale(0, RoundingMode.CEILING)
                                        .compareTo(request.setScale(0, RoundingMode.CEILING))
                                >= 0;
                    }
                }),
                Arguments.of("names in descending order (T5)", new MatchOracle(false) {
                    @Override
                    Comparator<PersistentVolume> tieOrder() {
                        return super.tieOrder()
                                .thenComparing(volume -> volume.metadata().name())
                                .reversed();
                    }
                }),
                Arguments.of("ROX+RWX before RWO+RWX (T2)", new MatchOracle(false) {
                    @Override
                    Comparator<PersistentVolume> tieOrder() {
                        Comparator<PersistentVolume> rwoLast =
                                Comparator.comparing(volume -> modes(volume).contains(AccessMode.READ_WRITE_ONCE));
                        return rwoLast.thenComparing(super.tieOrder());
                    }
                }),
                Arguments.of("no uid before the claim's uid (T4)", new MatchOracle(false) {
                    @Override
                    int uidOrder(PersistentVolume volume) {
                        return -super.uidOrder(volume);
                    }
                }),
                Arguments.of("the smallest capacity whatever the modes (T1)", new MatchOracle(false) {
                    @Override
                    int tierOf(PersistentVolume volume) {
                        return 1;
                    }
                }),
                Arguments.of("one set of modes forgotten", new MatchOracle(false) {
                    private static final Set<AccessMode> FORGOTTEN =
                            EnumSet.of(AccessMode.READ_WRITE_ONCE, AccessMode.READ_WRITE_MANY);

                    @Override
                    boolean excludes(
                            Rule rule, PersistentVolume volume, PersistentVolumeClaim claim, MatchOptions options) {
                        return super.excludes(rule, volume, claim, options)
                                || (rule == Rule.ACCESS_MODES && modes(volume).equals(FORGOTTEN));
                    }
                }),
                Arguments.of("only Available is free (D17)", new MatchOracle(true)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void wrongOrders(String error, MatchOracle wrong) {
        finds(error, wrong);
    }

    @ParameterizedTest
    @EnumSource(names = {"TOUCH", "RESIZE", "RELABEL", "BIND", "RETIRE", "FREE", "REMOVE", "RESERVE", "RELEASE"})
    void findsAnIndexThatMissesAChange(Operation missed) {
        finds("the index misses " + missed, new ModelRun(1, VOLUMES, new MatchOracle(false), false) {
            @Override
            boolean isTold(Operation told) {
                return told != missed;
            }
        });
    }

    private static void finds(String error, MatchOracle wrong) {
        finds(error, new ModelRun(1, VOLUMES, wrong, false));
    }

    private static void finds(String error, ModelRun run) {
        assertThat(catchThrowable(() -> run.operations(OPERATIONS))).as(error).isInstanceOf(AssertionError.class);
        System.out.printf("planted: %s: found at operation %,d%n", error, run.operation());
    }
}
