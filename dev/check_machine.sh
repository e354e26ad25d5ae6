#!/bin/sh
# Says at once what this machine lacks: Python 3.10+ with venv, and Java 17+, which Spark runs on.
#     sh dev/check_machine.sh [python]
# Prints nothing and exits 0 if all is there; else one sentence with the command that helps, and exits 1.
# Plain POSIX sh, as it runs where perhaps nothing is installed yet.

python=${1:-python3}
java_needed=17

fail() {
    printf '%s\n' "$1" >&2
    exit 1
}

# The command that installs the packages named for this machine's package manager:
# $1 for apt-get, $2 for dnf, $3 for apk, $4 for pacman, $5 for brew. Empty where none is known.
install_command() {
    as_root=
    [ "$(id -u)" = 0 ] || as_root='sudo '
    if [ "$(uname -s)" = Darwin ]; then echo "brew install $5"
    elif command -v apt-get >/dev/null 2>&1; then echo "${as_root}apt-get update && ${as_root}apt-get install -y $1"
    elif command -v dnf >/dev/null 2>&1; then echo "${as_root}dnf install -y $2"
    elif command -v apk >/dev/null 2>&1; then echo "${as_root}apk add $3"
    elif command -v pacman >/dev/null 2>&1; then echo "${as_root}pacman -S --noconfirm $4"
    fi
}

# The java that Spark would start: JAVA_HOME's own where that is set, else the one on PATH.
spark_java() {
    if [ -n "${JAVA_HOME:-}" ]; then echo "$JAVA_HOME/bin/java"; else command -v java; fi
}

# "17.0.15" is 17, "1.8.0_392" is 8, "24-ea" is 24; nothing where the java given does not run.
java_major() {
    "$1" -version 2>&1 </dev/null |
        sed -n 's/.* version "\(1\.\)\{0,1\}\([0-9][0-9]*\).*/\2/p' | sed -n 1p
}

# Debian 13 and later have no OpenJDK 17 any more; 21 serves as well.
debian_java() {
    debian=$(sed -n 's/^\([0-9][0-9]*\).*/\1/p' /etc/debian_version 2>/dev/null)
    if [ "${debian:-0}" -ge 13 ]; then echo openjdk-21-jre-headless; else echo openjdk-17-jre-headless; fi
}

# Homebrew keeps openjdk@17 off the PATH, so JAVA_HOME has to point to it.
java_remedy() {
    # shellcheck disable=SC2016 # the reader's shell is to expand it, not this one
    brew_java='openjdk@17 && export JAVA_HOME="$(brew --prefix openjdk@17)/libexec/openjdk.jdk/Contents/Home"'
    command=$(install_command "$(debian_java)" java-21-openjdk-headless openjdk17-jre-headless jre17-openjdk-headless "$brew_java")
    if [ -n "$command" ]; then echo "install it with: $command"; else echo "install a Java runtime (JRE)"; fi
}

check_python() {
    command -v "$python" >/dev/null 2>&1 ||
        fail "Python 3.10 or later is needed and '$python' is not to be found; install it with: $(install_command 'python3 python3-venv' python3 python3 python python3)."
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null </dev/null)
    [ -n "$version" ] || fail "Python 3.10 or later is needed and '$python' does not run: choose another, as in 'make demo PYTHON=python3.12'."
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' </dev/null ||
        fail "Python 3.10 or later is needed and '$python' is $version: choose another, as in 'make demo PYTHON=python3.12'."
    "$python" -c 'import venv, ensurepip' >/dev/null 2>&1 </dev/null ||
        fail "Python's venv module is needed and '$python' has none; install it with: $(install_command "python$version-venv" python3 python3 python python3)."
}

check_java() {
    java=$(spark_java)
    [ -n "$java" ] || fail "Java $java_needed or later is needed and there is none; $(java_remedy)"
    major=$(java_major "$java")
    where=
    [ -z "${JAVA_HOME:-}" ] || where=" (JAVA_HOME says so: unset it or point it to a newer Java)"
    [ -n "$major" ] || fail "Java $java_needed or later is needed and '$java' does not run$where; $(java_remedy)"
    [ "$major" -ge "$java_needed" ] ||
        fail "Java $java_needed or later is needed and '$java' is Java $major$where; $(java_remedy)"
}

check_java
check_python
